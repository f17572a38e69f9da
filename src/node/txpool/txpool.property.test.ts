import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Address, Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { testSender, testTransaction } from '#testing/node/txpool/transaction.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { TxRejectedError } from '../tx/rejection.ts'
import { effectiveTip, feeCap, maxCost, type Transaction } from '../tx/transaction.ts'
import type { PoolAccount } from './sender-queue.ts'
import { TxPool } from './txpool.ts'

const LIMITS = { maxPending: 8, maxQueued: 5, maxPerSender: 4, replacement: 'tenth', dropsUnpriced: false } as const
const SENDERS = 4

/** Sends the set code transactions that change other accounts. */
const OUTSIDER = testSender(77)

const addition = { sender: fc.nat(SENDERS - 1), gap: fc.nat(4), price: fc.nat(40), value: fc.nat(30) }
const operation = fc.oneof(
  { weight: 14, arbitrary: fc.record({ kind: fc.constant('add' as const), ...addition }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      baseFee: fc.nat(20),
      /** Outcome of each transaction taken. */
      fates: fc.array(fc.constantFrom('executed', 'executed', 'failed', 'skipped'), { maxLength: 6 }),
      /** A transaction that arrives while each of them is being executed. */
      meanwhile: fc.option(fc.record(addition), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('set code' as const),
      sender: fc.nat(SENDERS - 1),
      nonces: fc.nat(2),
      wei: fc.integer({ min: 500_000, max: 4_000_000 }),
    }),
  },
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never
type Addition = Omit<Extract<Operation, { kind: 'add' }>, 'kind'>
type Outcome = 'accepted' | 'refused' | 'replaced' | 'evicted' | 'included' | 'dropped'

/** A pool with its accounts, and the records that the properties check. */
class Harness {
  readonly accounts = new Map<Address, PoolAccount>([[OUTSIDER, { nonce: 0n, balance: 10n ** 18n }]])
  readonly pool = new TxPool({
    limits: LIMITS,
    account: (address) => this.account(address),
    sealedNonce: () => 0n,
    isInLiveBlock: () => false,
    gasLimit: () => 400_000_000n,
    isDelegation: () => false,
  })
  /** Transactions that were accepted and have not been reported as gone. */
  readonly expected = new Map<Hash, Transaction>()
  readonly claimed: Transaction[] = []
  readonly seen: Record<Outcome, number>

  constructor(seen: Record<Outcome, number>) {
    this.seen = seen
  }

  run(step: Operation): void {
    switch (step.kind) {
      case 'add':
        this.add(step)
        return
      case 'remove': {
        const hash = [...this.expected.keys()][step.pick % this.expected.size]
        const removed = hash && this.pool.remove(hash)
        if (removed) this.gone(removed, 'dropped')
        return
      }
      case 'tick':
        this.tick(step)
        return
      case 'set code': {
        const outside = { ...testTransaction({ sender: 77 }), nonce: this.account(OUTSIDER).nonce }
        const accepted = this.accept({ ...outside, type: 4, authorizationList: [] })
        if (!accepted) return
        this.pool.claim(accepted)
        this.claimed.push(accepted)
        const address = testSender(step.sender)
        const nonce = this.account(address).nonce + BigInt(step.nonces)
        this.accounts.set(address, { nonce, balance: BigInt(step.wei) })
        return
      }
      default:
        step satisfies never
    }
  }

  tick({ baseFee, fates, meanwhile }: Extract<Operation, { kind: 'tick' }>): void {
    const best = this.pool.best(BigInt(baseFee))
    for (const fate of fates) {
      const tx = best.next()
      if (!tx) return
      invariant(feeCap(tx) >= BigInt(baseFee), 'a fee cap below the base fee was taken')
      if (fate === 'skipped') {
        best.skipSender(tx.sender)
        continue
      }
      this.pool.claim(tx)
      if (meanwhile) this.add(meanwhile)
      if (fate === 'executed') this.claimed.push(tx)
      else {
        this.pool.drop(tx)
        this.gone(tx, 'dropped')
      }
    }
  }

  add({ sender, gap, price, value }: Addition): void {
    const nonce = this.account(testSender(sender)).nonce + BigInt(gap)
    this.accept({ ...testTransaction({ sender, price: BigInt(price), value: BigInt(value) }), nonce })
  }

  accept(tx: Transaction): Transaction | undefined {
    const before = this.listing()
    try {
      const { replaced, evicted } = this.pool.add(tx)
      if (replaced) this.gone(replaced, 'replaced')
      for (const one of evicted) this.gone(one, 'evicted')
      this.expected.set(tx.hash, tx)
      this.seen.accepted++
      return tx
    } catch (error) {
      if (!(error instanceof TxRejectedError)) throw error
      invariant(this.listing() === before, 'a refusal changed the pool')
      this.seen.refused++
      return undefined
    }
  }

  listing(): string {
    const { pending, queued } = this.pool.content()
    return [pending, queued].map((part) => [...part.values()].flat().map(({ hash }) => hash)).join(' | ')
  }

  /** The pool reported that a transaction left. */
  gone(tx: Transaction, outcome: Outcome): void {
    invariant(this.expected.delete(tx.hash), `nonce ${tx.nonce} of ${tx.sender} was reported, but was not there`)
    this.seen[outcome]++
  }

  /** Includes the claimed transactions and cuts a new partial block. */
  settle(): void {
    for (const tx of this.claimed.splice(0)) {
      const { nonce, balance } = this.account(tx.sender)
      invariant(tx.nonce === nonce, 'claims are not in nonce order')
      this.accounts.set(tx.sender, { nonce: nonce + 1n, balance: balance - maxCost(tx) / 4n })
      this.gone(tx, 'included')
    }
    for (const { tx } of this.pool.settle()) this.gone(tx, 'dropped')
  }

  account(address: Address): PoolAccount {
    return this.accounts.get(address) ?? { nonce: 0n, balance: 4_000_000n }
  }

  check(): void {
    const { pending, queued } = this.pool.content()
    const all = [...pending.values(), ...queued.values()].flat()
    const hashes = all.map(({ hash }) => hash).toSorted()
    invariant(hashes.join() === [...this.expected.keys()].toSorted().join(), 'a transaction was lost or came back')
    invariant(
      all.every((tx) => this.pool.get(tx.hash) === this.expected.get(tx.hash)),
      'a transaction is listed, but not found',
    )
    const size = this.pool.size()
    invariant(size.pending === [...pending.values()].flat().length, 'pending transactions are miscounted')
    invariant(size.queued === [...queued.values()].flat().length, 'queued transactions are miscounted')
    invariant(size.pending <= LIMITS.maxPending && size.queued <= LIMITS.maxQueued, 'a limit is exceeded')
    for (let index = 0; index < SENDERS; index++) {
      const address = testSender(index)
      this.#checkSender(address, pending.get(address) ?? [], queued.get(address) ?? [])
    }
  }

  #checkSender(address: Address, pending: readonly Transaction[], queued: readonly Transaction[]): void {
    const { nonce, balance } = this.account(address)
    const pendingNonce = nonce + BigInt(pending.length)
    invariant(
      pending.every((tx, i) => tx.nonce === nonce + BigInt(i)),
      'pending nonces do not follow the account without a gap',
    )
    invariant(
      queued.every((tx, i) => tx.nonce > (queued[i - 1]?.nonce ?? pendingNonce)),
      'queued nonces do not ascend behind a gap',
    )
    invariant(this.pool.pendingNonce(address) === pendingNonce, 'the pending nonce is not the first free one')
    invariant(pending.length + queued.length <= LIMITS.maxPerSender, 'a sender has too many')
    invariant(
      [...pending, ...queued].every((tx) => maxCost(tx) <= balance),
      'a transaction costs more than there is',
    )
  }
}

/** The transactions that one tick takes if nothing interferes, found by a full scan. */
function naiveBest(pool: TxPool, baseFee: bigint, arrivals: ReadonlyMap<Hash, number>): Transaction[] {
  const lists = [...pool.content().pending.values()].map((list) => [...list])
  const order: Transaction[] = []
  for (;;) {
    const heads = lists.flatMap((list) => (list[0] && feeCap(list[0]) >= baseFee ? [list[0]] : []))
    const [best] = heads.sort((a, b) => {
      const difference = effectiveTip(b, baseFee) - effectiveTip(a, baseFee)
      if (difference !== 0n) return difference > 0n ? 1 : -1
      return (arrivals.get(a.hash) as number) - (arrivals.get(b.hash) as number)
    })
    if (!best) return order
    order.push(best)
    lists.find((list) => list[0] === best)?.shift()
  }
}

test('after any operations no transaction is lost, nonces are consecutive and no limit is exceeded', () => {
  const seen: Record<Outcome, number> = { accepted: 0, refused: 0, replaced: 0, evicted: 0, included: 0, dropped: 0 }
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 80, size: 'max' }), (operations) => {
      const harness = new Harness(seen)
      for (const step of operations) {
        harness.run(step)
        harness.settle()
        harness.check()
      }
    }),
    { numRuns: runsOf(1_000) },
  )
  for (const [outcome, times] of Object.entries(seen)) expect(times, outcome).toBeGreaterThan(100)
})

test('the best transactions come in the same order as with a full search each time', () => {
  const transfer = fc.record({ sender: fc.nat(9), gap: fc.nat(5), tip: fc.nat(6), cap: fc.nat(12) })
  fc.assert(
    fc.property(fc.array(transfer, { maxLength: 60 }), fc.nat(8), (additions, baseFee) => {
      const pool = new TxPool({
        limits: { maxPending: 100, maxQueued: 100, maxPerSender: 100, replacement: 'tenth', dropsUnpriced: false },
        account: () => ({ nonce: 0n, balance: 10n ** 18n }),
        sealedNonce: () => 0n,
        isInLiveBlock: () => false,
        gasLimit: () => 400_000_000n,
        isDelegation: () => false,
      })
      const arrivals = new Map<Hash, number>()
      for (const [arrival, { sender: from, gap, tip, cap }] of additions.entries()) {
        const maxFeePerGas = BigInt(Math.max(cap, tip))
        const tx = testTransaction({ sender: from, nonce: gap, maxFeePerGas, maxPriorityFeePerGas: BigInt(tip) })
        try {
          pool.add(tx)
          arrivals.set(tx.hash, arrival)
        } catch (error) {
          if (!(error instanceof TxRejectedError) || error.code !== 'replacement-underpriced') throw error
        }
      }
      const best = pool.best(BigInt(baseFee))
      const taken: Transaction[] = []
      for (let tx = best.next(); tx; tx = best.next()) taken.push(tx)
      expect(taken.map(({ hash }) => hash)).toEqual(naiveBest(pool, BigInt(baseFee), arrivals).map(({ hash }) => hash))
    }),
    { numRuns: runsOf(500) },
  )
})
