import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { createTestNode, devAccount, RpcError, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import type { WholeStateRule } from './whole-state-rule.ts'

/** A budget that no chain here reaches. */
const IN_MEMORY = 2 ** 30
/** Accounts: the first have no code, the next few slots, the last many. */
const [PLAIN, SMALL, LARGE] = [200, 24, 2]
const ACCOUNTS = PLAIN + SMALL + LARGE
const [FEW_SLOTS, MANY_SLOTS] = [3, 160]
/** Sets the slot in the first word of its input to the second one. */
const WRITER = '0x60203560003555'

const addressOf = (index: number) => `0x${(0x1000 + (index % ACCOUNTS)).toString(16).padStart(40, '0')}` as const
const quantity = (value: number) => `0x${value.toString(16)}` as const
const slotsOf = (index: number) => (index % ACCOUNTS < PLAIN + SMALL ? FEW_SLOTS : MANY_SLOTS)
const contractOf = (index: number) => PLAIN + (index % 3 === 0 ? SMALL + (index % LARGE) : index % SMALL)

type Call = readonly [method: string, ...params: readonly unknown[]]

/** Calls, a restart, or pieces of the whole state that are written in the meantime. */
type Move =
  | { readonly kind: 'calls'; readonly calls: readonly Call[] }
  | { readonly kind: 'crash' | 'reopen' }
  | { readonly kind: 'write'; readonly pieces: number }

const sender = devAccount(0).address

/** A transaction or an edit of one account. */
const change: fc.Arbitrary<readonly Call[]> = fc
  .record({
    kind: fc.constantFrom('balance', 'nonce', 'slot', 'slot', 'code', 'transfer', 'call', 'call', 'vanish'),
    index: fc.nat(1_000),
    slot: fc.nat(1_000),
    value: fc.nat(3),
  })
  .map(({ kind, index, slot, value }): readonly Call[] => {
    const contract = contractOf(index)
    const word = toWord(slot % slotsOf(contract))
    switch (kind) {
      case 'balance':
        return [['anvil_setBalance', addressOf(index), quantity(value + 1)]]
      case 'nonce':
        return [['anvil_setNonce', addressOf(index), quantity(value)]]
      case 'slot':
        return [['anvil_setStorageAt', addressOf(contract), word, toWord(value)]]
      case 'code':
        return [['anvil_setCode', addressOf(index), value === 0 ? '0x' : WRITER]]
      case 'transfer':
        return [['eth_sendTransaction', { from: sender, to: addressOf(index), value: quantity(value), gas: '0x186a0' }]]
      case 'call': {
        const data = `${word}${toWord(value).slice(2)}`
        return [['eth_sendTransaction', { from: sender, to: addressOf(contract), data, gas: '0x186a0' }]]
      }
      default:
        // An account that is empty when a transaction touches it is deleted.
        return [
          ['anvil_setNonce', addressOf(index % PLAIN), '0x0'],
          ['anvil_setBalance', addressOf(index % PLAIN), '0x0'],
          ['eth_sendTransaction', { from: sender, to: addressOf(index % PLAIN), value: '0x0', gas: '0x186a0' }],
        ]
    }
  })

const MINE: Call = ['evm_mine']
const TICK: Call = ['devnet_tick', 1]
const calls = (...all: readonly Call[]): Move => ({ kind: 'calls', calls: all })

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(fc.array(change, { maxLength: 8 }), fc.constantFrom(MINE, MINE, TICK))
      .map(([changes, end]) => calls(...changes.flat(), end)),
  },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }).map((pieces): Move => ({ kind: 'write', pieces })) },
  { weight: 2, arbitrary: fc.constant<Move>(calls(['evm_snapshot'])) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }).map((n) => calls(['anvil_reorg', n, []])) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }).map((n) => calls(['anvil_rollback', n])) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }).map((n) => calls(['evm_revert', quantity(n)])) },
  { weight: 1, arbitrary: fc.constantFrom<Move>({ kind: 'crash' }, { kind: 'reopen' }) },
  { weight: 1, arbitrary: fc.constant<Move>(calls(['anvil_dumpState'])) },
)

const block = fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => calls(...changes.flat(), MINE))
const taking = fc.constantFrom<Call>(['anvil_rollback', 5], ['anvil_reorg', 5, []], ['evm_revert', '0x1'])

/** The block whose state is being written leaves the chain, and the thread has an end at any moment after that. */
const race: fc.Arbitrary<readonly Move[]> = fc
  .tuple(fc.array(block, { minLength: 3, maxLength: 4 }), fc.nat(10), taking, fc.constantFrom('crash', 'reopen'))
  .map(([blocks, pieces, taken, end]) => [
    { kind: 'write', pieces: 300 },
    ...blocks,
    { kind: 'write', pieces },
    calls(taken),
    { kind: 'write', pieces: 300 },
    { kind: end },
  ])

const manyMoves = fc
  .array(fc.oneof({ weight: 8, arbitrary: move.map((each) => [each]) }, { weight: 1, arbitrary: race }), {
    minLength: 10,
    maxLength: 25,
  })
  .map((all) => all.flat())

/** A thread that is always busy: who pauses waits until a number of pieces may go on. */
class BusyThread {
  #waiting: (() => void)[] = []
  /** How many pieces were written. */
  passed = 0

  readonly rule: WholeStateRule = {
    leastDifferenceBytes: 300,
    mostBlocks: 3,
    packedBytes: 1,
    pacer: () => ({
      checkpoint: () =>
        new Promise<void>((resolve) => {
          this.#waiting.push(resolve)
        }),
    }),
  }

  async go(pieces: number): Promise<void> {
    for (let left = pieces; left > 0 && this.#waiting.length > 0; left--) {
      const waiting = this.#waiting
      this.#waiting = []
      for (const resolve of waiting) resolve()
      this.passed++
      await new Promise((resolve) => void setImmediate(resolve))
    }
  }
}

const NEVER: WholeStateRule = {
  leastDifferenceBytes: Number.POSITIVE_INFINITY,
  mostBlocks: Number.POSITIVE_INFINITY,
  packedBytes: Number.POSITIVE_INFINITY,
  pacer: () => ({ checkpoint: () => undefined }),
}

async function answer({ requestLoosely }: TestNode, [method, ...params]: Call): Promise<unknown> {
  const ask = requestLoosely as (name: string, given: readonly unknown[]) => Promise<unknown>
  try {
    return await ask(method, params)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return error.message
  }
}

/** What the chain has let go may still be there after a restart, for a while. */
function isWithoutStates(outcome: unknown): boolean {
  return typeof outcome === 'string' && /only the newest (blocks )?keep their/.test(outcome)
}

/** The chain's first state: enough accounts and slots that they are stored in several records. */
function beginning(): Call[] {
  const all: Call[] = []
  for (let index = 0; index < ACCOUNTS; index++) {
    all.push(['anvil_setBalance', addressOf(index), quantity(1 + (index % 300))])
    if (index < PLAIN) continue
    all.push(['anvil_setCode', addressOf(index), WRITER])
    for (let slot = 0; slot < slotsOf(index); slot++) {
      all.push(['anvil_setStorageAt', addressOf(index), toWord(slot), toWord(1 + (slot % 5))])
    }
  }
  return [...all, MINE]
}

/** Makes the same moves on two chains, of which one packs its states. Returns how many answers were compared. */
async function compare(moves: readonly Move[], asked: readonly number[], thread: BusyThread): Promise<number> {
  let compared = 0
  const clock = new FakeClock()
  const options = { mode: 'manual' } as const
  const plain = await createTestNode(options, {
    journal: new MemoryJournal(),
    clock,
    memoryBytes: IN_MEMORY,
    wholeStates: NEVER,
  })
  const deps = { clock, wholeStates: thread.rule, tidyMs: 1_000 }
  let journal = new MemoryJournal()
  let packed = await createTestNode(options, { ...deps, journal })
  const both = async (call: Call) => {
    const expected = await answer(plain, call)
    if (isWithoutStates(expected)) return
    compared++
    expect(await answer(packed, call), JSON.stringify(call)).toEqual(expected)
  }
  for (const call of beginning()) await both(call)
  for (const [at, each] of moves.entries()) {
    if (each.kind === 'calls') for (const call of each.calls) await both(call)
    else if (each.kind === 'write') await thread.go(each.pieces)
    else {
      if (each.kind === 'reopen') {
        const closed = packed.node.close()
        for (let turn = 0; turn < 5; turn++) await thread.go(200)
        await closed
      }
      journal = each.kind === 'crash' ? journal.afterCrash() : journal.reopen()
      packed = await createTestNode({}, { ...deps, journal })
    }
    const head = Number(await packed.request('eth_blockNumber'))
    // One old block after each move, for otherwise all of them would always be decoded.
    const old = quantity((asked[at % asked.length] as number) % (head + 1))
    for (const tag of ['pending', quantity(head), old]) {
      await both(['eth_getBlockByNumber', tag, false])
      for (const index of asked.slice(at % 3, (at % 3) + 2)) {
        const slots = Array.from({ length: 3 }, (_, i) => toWord((index + i) % slotsOf(index)))
        await both(['eth_getProof', addressOf(index), slots, tag])
        await both(['eth_getProof', addressOf(contractOf(index)), slots, tag])
      }
    }
  }
  const head = Number(await packed.request('eth_blockNumber'))
  for (let number = 0; number <= head; number++) {
    await both(['eth_getBlockByNumber', quantity(number), true])
    for (let index = 0; index < ACCOUNTS; index += 19) {
      await both(['eth_getProof', addressOf(index), [toWord(index % slotsOf(index))], quantity(number)])
    }
  }
  await both(['anvil_dumpState'])
  return compared
}

test('a chain whose old accounts are kept as bytes answers the same as one in memory, whatever happens meanwhile', async () => {
  const thread = new BusyThread()
  await fc.assert(
    fc.asyncProperty(manyMoves, fc.array(fc.nat(1_000), { minLength: 6, maxLength: 12 }), async (all, asked) => {
      expect(await compare(all, asked, thread)).toBeGreaterThan(20)
    }),
    // A run takes seconds: one that fails is not made smaller.
    { numRuns: runsOf(2), endOnFailure: true },
  )
  expect(thread.passed).toBeGreaterThan(10)
})
