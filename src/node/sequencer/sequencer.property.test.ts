// Longer than most files: one model, its operations and its invariants; none of them means much without the others.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hash, Hex } from '#primitives/hex.ts'
import type { WithdrawnFate } from '#rpc-types/devnet.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { jsonHeaderHash } from '../testing/json-header-hash.ts'
import { createTestNode, devAccount, RpcError, signTransfer, type TestNode } from '../testing/test-node.ts'

const SENDERS = [0, 1, 2]
const ADDRESSES = SENDERS.map((index) => devAccount(index).address.toLowerCase() as Hex)
/** Nobody else gives to or takes from it. */
const RECIPIENT: Hex = `0x${'e1'.repeat(20)}`
const EDITED: Hex = `0x${'e2'.repeat(20)}`
const NO_BLOCK: Hash = `0x${'0'.repeat(64)}`

type Operation =
  | { readonly kind: 'send'; readonly sender: number; readonly gap: boolean; readonly value: number }
  | { readonly kind: 'tick' | 'seal' | 'stall' | 'delay' | 'travel' | 'timestamp' | 'revert'; readonly n: number }
  | { readonly kind: 'drop' | 'reorg'; readonly n: number; readonly fate: WithdrawnFate }
  | { readonly kind: 'faucet' | 'setBalance' | 'snapshot' | 'baseFee' }

const counted = (kind: (Operation & { n: number })['kind'], min: number, max: number, weight = 1) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), n: fc.integer({ min, max }) }) as fc.Arbitrary<Operation>,
})
const withdrawal = (kind: 'drop' | 'reorg', max: number) => ({
  weight: 3,
  arbitrary: fc.record({
    kind: fc.constant(kind),
    n: fc.integer({ min: 1, max }),
    fate: fc.constantFrom<WithdrawnFate>('requeue', 'lose'),
  }) as fc.Arbitrary<Operation>,
})
const plain = (kind: 'faucet' | 'setBalance' | 'snapshot' | 'baseFee', weight = 1) => ({
  weight,
  arbitrary: fc.constant<Operation>({ kind }),
})

const operation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      sender: fc.constantFrom(...SENDERS),
      gap: fc.integer({ min: 0, max: 5 }).map((draw) => draw === 0),
      value: fc.integer({ min: 1, max: 9 }),
    }),
  },
  counted('tick', 1, 12, 6),
  counted('seal', 1, 3),
  counted('stall', 0, 4),
  counted('delay', 0, 5_000),
  counted('travel', 1, 100),
  counted('timestamp', 1, 100),
  counted('revert', 0, 2, 2),
  withdrawal('drop', 4),
  withdrawal('reorg', 3),
  plain('faucet'),
  plain('setBalance'),
  plain('snapshot', 2),
  plain('baseFee'),
)

interface Snapshot {
  readonly id: Hex
  readonly present: Present
}

/** What was done so far. */
interface Model {
  readonly sent: Set<Hash>
  /** Those that can still be gone back to. */
  readonly snapshots: Snapshot[]
  /** Of all snapshots that there ever were. */
  readonly ids: Set<Hex>
}

/** Everything of a chain that a snapshot brings back. */
interface Present {
  readonly head: Hash
  readonly pending: Hash
  readonly index: number
  readonly pool: readonly Hash[]
}

test('whatever is done to it, the chain stays a chain, and everyone is told', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 40, size: 'max' }), async (operations) => {
      const node = await createTestNode({ mode: 'manual' })
      await node.request('eth_subscribe', ['newPartialBlocks'])
      const headsId = await node.request('eth_subscribe', ['newHeads'])
      const follower = new Follower(headsId)
      await node.request('devnet_tick')
      const model: Model = { sent: new Set(), snapshots: [], ids: new Set() }
      for (const [step, next] of operations.entries()) {
        await run(node, next, step, model)
        follower.follow(node)
        await check(node, model.sent, follower)
      }
      expect(node.logged).toEqual([])
    }),
    { numRuns: 60 },
  )
}, 120_000)

test('a chain that the clock drives survives the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25, size: 'max' }), async (operations) => {
      const node = await createTestNode()
      await node.request('eth_subscribe', ['newPartialBlocks'])
      const follower = new Follower(await node.request('eth_subscribe', ['newHeads']))
      const model: Model = { sent: new Set(), snapshots: [], ids: new Set() }
      for (const [step, next] of operations.entries()) {
        await run(node, next, step, model)
        await node.clock.advance(step % 3 === 0 ? 2_100 : 150)
        follower.follow(node)
        await check(node, model.sent, follower)
      }
      const { number } = await required(node, 'latest')
      await node.clock.advance(10_000)
      expect(Number((await required(node, 'latest')).number)).toBeGreaterThanOrEqual(Number(number) + 1)
      expect(node.logged).toEqual([])
    }),
    { numRuns: 40 },
  )
}, 120_000)

test('operations that are asked for all at once are done one after the other', async () => {
  const steering = fc.constantFrom<readonly [MethodName, ...unknown[]]>(
    ['devnet_tick', 3],
    ['devnet_seal', 2],
    ['devnet_dropPartialBlocks', 2, 'requeue'],
    ['devnet_dropPartialBlocks', 1, 'lose'],
    ['devnet_reorg', 1, 'requeue'],
    ['devnet_reorg', 2, 'lose'],
    ['devnet_faucet', EDITED, '0x1'],
    ['anvil_setBalance', EDITED, '0x7'],
    ['evm_increaseTime', 5],
    ['evm_snapshot'],
    ['evm_revert', '0x1'],
    ['evm_revert', '0x2'],
    ['devnet_reset'],
  )
  await fc.assert(
    fc.asyncProperty(fc.array(steering, { minLength: 1, maxLength: 20, size: 'max' }), async (calls) => {
      const node = await createTestNode()
      await node.request('eth_subscribe', ['newPartialBlocks'])
      const follower = new Follower(await node.request('eth_subscribe', ['newHeads']))
      await node.clock.advance(200)
      const sent = new Set<Hash>()
      for (const nonce of [0, 1, 2]) {
        const raw = await signTransfer(0, nonce, { to: RECIPIENT })
        sent.add(await node.request('eth_sendRawTransaction', [raw]))
      }
      await node.request('devnet_seal', [2])
      const done = Promise.allSettled(calls.map(([method, ...params]) => node.request(method, params)))
      await node.clock.advance(700)
      // Only a reorg deeper than the chain may fail.
      for (const [i, { status }] of (await done).entries()) {
        if (status === 'rejected') expect(calls[i]?.[0]).toBe('devnet_reorg')
      }
      await node.clock.advance(200)
      follower.follow(node)
      await check(node, sent, follower)
      expect(node.logged).toEqual([])
    }),
    { numRuns: 60 },
  )
}, 120_000)

async function run(node: TestNode, next: Operation, step: number, model: Model): Promise<void> {
  const { request } = node
  const { sent, snapshots } = model
  switch (next.kind) {
    case 'send': {
      const nonce = Number(await request('eth_getTransactionCount', [ADDRESSES[next.sender], 'pending']))
      const raw = await signTransfer(next.sender, nonce + (next.gap ? 1 : 0), {
        to: RECIPIENT,
        value: BigInt(next.value),
        // Enough above the one before to replace it.
        maxFeePerGas: BigInt(Math.round(1e10 * 1.2 ** step)),
        tip: BigInt(Math.round(1e9 * 1.2 ** step)),
      })
      sent.add(await request('eth_sendRawTransaction', [raw]))
      return
    }
    case 'tick':
      await request('devnet_tick', [next.n])
      return
    case 'seal': {
      const before = await request('eth_blockNumber')
      const sealed = await request('devnet_seal', [next.n])
      expect(Number(sealed.number)).toBeGreaterThanOrEqual(Number(before) + next.n)
      return
    }
    case 'stall':
      await request('devnet_stallPartialBlocks', [next.n])
      return
    case 'delay':
      await request('devnet_delaySeal', [next.n])
      return
    case 'travel': {
      const latest = await required(node, 'latest')
      await request('evm_increaseTime', [next.n])
      const pending = await required(node, 'pending')
      expect(Number(pending.timestamp)).toBeGreaterThanOrEqual(Number(latest.timestamp) + next.n)
      return
    }
    case 'timestamp': {
      const timestamp = Number((await required(node, 'pending')).timestamp) + next.n
      await request('evm_setNextBlockTimestamp', [timestamp])
      expect(Number((await required(node, 'pending')).timestamp)).toBe(timestamp)
      return
    }
    case 'drop': {
      const before = await required(node, 'pending')
      const { withdrawn, index } = await request('devnet_dropPartialBlocks', [next.n, next.fate])
      const after = await required(node, 'pending')
      expect(after.number).toBe(before.number)
      expect([...after.transactions.map(hashOf), ...withdrawn]).toEqual(before.transactions.map(hashOf))
      expect(index).toBe((await request('devnet_status')).live.index)
      await checkFate(node, withdrawn, next.fate)
      return
    }
    case 'reorg':
      await reorg(node, next.n, next.fate)
      return
    case 'faucet': {
      const balance = await request('devnet_faucet', [EDITED, '0x1'])
      expect(await request('eth_getBalance', [EDITED, 'pending'])).toBe(balance)
      return
    }
    case 'setBalance':
      await request('anvil_setBalance', [EDITED, step])
      expect(Number(await request('eth_getBalance', [EDITED, 'latest']))).toBe(step)
      return
    case 'baseFee':
      await request('anvil_setNextBlockBaseFeePerGas', [7_000_000 + step])
      expect(Number((await required(node, 'pending')).baseFeePerGas)).toBe(7_000_000 + step)
      return
    case 'snapshot': {
      const present = await observe(node)
      const id = await request('evm_snapshot')
      expect(model.ids.has(id), 'no id is given twice').toBe(false)
      model.ids.add(id)
      snapshots.push({ id, present })
      return
    }
    case 'revert': {
      const target = snapshots[snapshots.length - 1 - next.n]
      if (!target) {
        expect(await request('evm_revert', ['0xffff'])).toBe(false)
        return
      }
      const gone = snapshots.splice(snapshots.length - 1 - next.n)
      expect(await request('evm_revert', [target.id])).toBe(true)
      expect(await observe(node)).toEqual(target.present)
      for (const { id } of gone) expect(await request('evm_revert', [id])).toBe(false)
      return
    }
    default:
      next satisfies never
  }
}

async function reorg(node: TestNode, depth: number, fate: WithdrawnFate): Promise<void> {
  const { request } = node
  const height = Number(await request('eth_blockNumber'))
  if (depth > height) {
    const before = await observe(node)
    const refused = await request('devnet_reorg', [depth, fate]).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RpcError)
    expect((refused as RpcError).error.code).toBe(-32602)
    expect(await observe(node)).toEqual(before)
    return
  }
  const blocks: RpcBlock[] = [await required(node, 'pending')]
  for (let number = height; number > height - depth; number--)
    blocks.push(await required(node, `0x${number.toString(16)}`))
  const { head, removed } = await request('devnet_reorg', [depth, fate])
  expect(Number(head.number)).toBe(height - depth)
  expect(removed).toEqual(blocks.slice(1).map(({ hash }) => hash))
  for (const hash of removed) expect(await request('eth_getBlockByHash', [hash, false])).toBeNull()
  await checkFate(
    node,
    blocks.flatMap(({ transactions }) => transactions.map(hashOf)),
    fate,
  )
}

/** Withdrawn transactions are on no block, and wait again or are unknown. */
async function checkFate({ request }: TestNode, hashes: readonly Hash[], fate: WithdrawnFate): Promise<void> {
  for (const hash of hashes) {
    expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
    const { status } = await request('chain_transactionStatus', [hash])
    if (fate === 'lose') expect(status).toBe('Unknown')
    const timeline = await request('devnet_getTransactionTimeline', [hash])
    const last = timeline?.events.at(-1)
    if (status === 'Known') expect(last).toMatchObject({ kind: 'withdrawn', requeued: true })
    else if (fate === 'lose') expect(last).toMatchObject({ kind: 'withdrawn', requeued: false })
    else expect(last?.kind).toBe('dropped')
  }
}

const hashOf = (transaction: Hash | RpcTransaction): Hash =>
  typeof transaction === 'string' ? transaction : transaction.hash

async function required({ request }: TestNode, selector: string): Promise<RpcBlock> {
  const block = await request('eth_getBlockByNumber', [selector, true])
  if (!block) throw new Error(`no block ${selector}`)
  return block
}

async function pooled({ request }: TestNode): Promise<{ readonly pending: Hash[]; readonly all: Hash[] }> {
  const { pending, queued } = await request('txpool_content')
  const flat = (part: typeof pending) => Object.values(part).flatMap((byNonce) => Object.values(byNonce).map(hashOf))
  return { pending: flat(pending), all: [...flat(pending), ...flat(queued)].toSorted() }
}

async function observe(node: TestNode): Promise<Present> {
  const { live } = await node.request('devnet_status')
  return {
    head: (await required(node, 'latest')).hash,
    pending: (await required(node, 'pending')).hash,
    index: live.index,
    pool: (await pooled(node)).all,
  }
}

async function check(node: TestNode, sent: ReadonlySet<Hash>, follower: Follower): Promise<void> {
  const { request } = node
  const pending = await required(node, 'pending')
  const height = Number(await request('eth_blockNumber'))
  const chain: RpcBlock[] = []
  for (let number = 0; number <= height; number++) chain.push(await required(node, `0x${number.toString(16)}`))

  for (const [number, block] of [...chain, pending].entries()) {
    expect(Number(block.number)).toBe(number)
    expect(jsonHeaderHash(block)).toBe(block.hash)
    const parent = chain[number - 1]
    if (!parent) continue
    expect(block.parentHash).toBe(parent.hash)
    expect(Number(block.timestamp)).toBeGreaterThan(Number(parent.timestamp))
  }

  const included = new Map<Hash, { readonly tx: RpcTransaction; readonly block: RpcBlock }>()
  for (const block of [...chain, pending]) {
    for (const tx of block.transactions as readonly RpcTransaction[]) {
      expect(included.has(tx.hash), 'no transaction is on the chain twice').toBe(false)
      included.set(tx.hash, { tx, block })
    }
  }
  const pool = await pooled(node)
  for (const hash of pool.all) expect(included.has(hash), 'nothing is both pooled and included').toBe(false)

  for (const hash of sent) {
    const receipt = await request('eth_getTransactionReceipt', [hash])
    const timeline = await request('devnet_getTransactionTimeline', [hash])
    const last = timeline?.events.at(-1)
    const place = included.get(hash)
    const { status } = await request('chain_transactionStatus', [hash])
    if (place?.block === pending) {
      expect(receipt).toMatchObject({ blockHash: NO_BLOCK, blockNumber: pending.number, status: '0x1' })
      expect(last).toMatchObject({ kind: 'preconfirmed', blockNumber: pending.number })
      expect(status).toBe('Known')
    } else if (place) {
      expect(receipt).toMatchObject({ blockHash: place.block.hash, blockNumber: place.block.number })
      expect(last).toMatchObject({ kind: 'sealed', blockHash: place.block.hash })
      expect(status).toBe('Known')
    } else if (pool.all.includes(hash)) {
      expect(receipt).toBeNull()
      if (last?.kind === 'withdrawn') expect(last.requeued).toBe(true)
      else expect(last?.kind).toBe('received')
    } else {
      expect(receipt).toBeNull()
      expect(status).toBe('Unknown')
      if (last?.kind === 'withdrawn') expect(last.requeued).toBe(false)
      else expect(['dropped', 'replaced']).toContain(last?.kind)
    }
  }

  const content = await request('txpool_content')
  for (const address of ADDRESSES) {
    const own = [...included.values()].filter(({ tx }) => tx.from === address)
    const sealed = own.filter(({ block }) => block !== pending)
    expect(Number(await request('eth_getTransactionCount', [address, 'latest']))).toBe(sealed.length)
    expect(Number((await request('eth_getProof', [address, [], 'pending'])).nonce)).toBe(own.length)
    const waiting = Object.entries(content.pending).find(([sender]) => sender.toLowerCase() === address)?.[1] ?? {}
    expect(Object.values(waiting).map(({ nonce }) => Number(nonce))).toEqual(
      Object.values(waiting).map((_, i) => own.length + i),
    )
    expect(Number(await request('eth_getTransactionCount', [address, 'pending']))).toBe(
      own.length + Object.keys(waiting).length,
    )
  }
  const received = (blocks: readonly RpcBlock[]) =>
    blocks
      .flatMap(({ transactions }) => transactions as readonly RpcTransaction[])
      .reduce((sum, { to, value }) => sum + (to === RECIPIENT ? BigInt(value) : 0n), 0n)
  expect(BigInt(await request('eth_getBalance', [RECIPIENT, 'latest']))).toBe(received(chain))
  expect(BigInt(await request('eth_getBalance', [RECIPIENT, 'pending']))).toBe(received([...chain, pending]))

  expect(follower.live, 'who follows the diffs knows the live block').toMatchObject({
    number: pending.number,
    parentHash: pending.parentHash,
    hash: pending.hash,
    transactions: pending.transactions.map(hashOf),
  })
}

/** Follows `newPartialBlocks` and `newHeads` as a client does, which believes nothing else. */
class Follower {
  live: { number: string; parentHash: string; hash: string; transactions: Hash[] } | undefined
  readonly #headsId: string
  readonly #sealed = new Set<Hash>()
  /** Hash of the last partial block that was seen of each number. */
  readonly #lastPartial = new Map<string, Hash>()
  #read = 0

  constructor(headsId: string) {
    this.#headsId = headsId
  }

  follow({ notifications }: TestNode): void {
    for (const { subscription, result } of notifications.slice(this.#read)) {
      if (subscription === this.#headsId) this.#head(result as { number: string; hash: Hash })
      else this.#partial(result as PartialBlockDiff)
    }
    this.#read = notifications.length
  }

  #head({ number, hash }: { number: string; hash: Hash }): void {
    // A snapshot may bring back what was sealed before.
    if (!this.#sealed.has(hash)) expect(hash).toBe(this.#lastPartial.get(number))
    this.#sealed.add(hash)
  }

  #partial({ base, diff, metadata }: PartialBlockDiff): void {
    if (base) this.live = { number: base.number, parentHash: base.parentHash, hash: diff.blockHash, transactions: [] }
    expect(this.live?.number, 'a diff without its base is of the block at hand').toBe(metadata.blockNumber)
    if (!this.live) return
    this.live.hash = diff.blockHash
    this.live.transactions.push(...diff.transactions.map(({ hash }) => hash))
    expect(this.live.transactions).toHaveLength(metadata.transactionCount)
    this.#lastPartial.set(metadata.blockNumber, diff.blockHash)
  }
}
