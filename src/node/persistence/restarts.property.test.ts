import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestNode, RpcError, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { runsOf } from '#testing/primitives/runs.ts'
import { JOURNAL_PARTS } from '../storage/journal.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

const PAYEE = `0x${'aa'.repeat(20)}` as const

/** A budget that no chain here reaches. */
const IN_MEMORY = 2 ** 30

/** A call, or a restart. */
type Move = readonly [method: string, ...params: readonly unknown[]]

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }).map((n): Move => ['mine', n]) },
  { weight: 3, arbitrary: fc.constant<Move>(['evm_snapshot']) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 6 }).map((n): Move => ['devnet_reorg', n]) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 6 }).map((n): Move => ['anvil_rollback', n]) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }).map((n): Move => ['evm_revert', `0x${n.toString(16)}`]) },
  { weight: 1, arbitrary: fc.constant<Move>(['anvil_reset']) },
  { weight: 1, arbitrary: fc.constantFrom<Move>(['mine', 300], ['devnet_forgetSnapshots']) },
  { weight: 4, arbitrary: fc.constant<Move>(['restart']) },
)

/** What the call answers, or why it is refused. */
async function answer({ request }: TestNode, [method, ...params]: Move): Promise<unknown> {
  const ask = request as (name: string, given: readonly unknown[]) => Promise<unknown>
  try {
    if (method !== 'mine') return await ask(method, params)
    for (let left = params[0] as number; left > 0; left--) {
      if (left < 10) await ask('devnet_faucet', [PAYEE, '0x1'])
      await ask('evm_mine', [])
    }
    return 'mined'
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return error.message
  }
}

/** Block with its receipts, and balance at each height, as far as the state is there. */
async function heights(node: TestNode): Promise<readonly (readonly [block: unknown, balance: unknown])[]> {
  const head = Number(await node.request('eth_blockNumber'))
  const found: (readonly [unknown, unknown])[] = []
  for (let number = 0; number <= head; number++) {
    const tag = `0x${number.toString(16)}` as const
    found.push([
      [await node.request('eth_getBlockByNumber', [tag, true]), await node.request('eth_getBlockReceipts', [tag])],
      await answer(node, ['eth_getBalance', PAYEE, tag]),
    ])
  }
  return found
}

/**
 * Makes the same moves on a chain that is never restarted, with all blocks in memory, and on one that is, with none but
 * the newest. Returns how many states were compared.
 */
async function compare(moves: readonly Move[]): Promise<number> {
  let compared = 0
  const journals = [new MemoryJournal(), new MemoryJournal()] as const
  const clock = new FakeClock()
  const lasting = await createTestNode({ mode: 'manual' }, { journal: journals[0], clock, memoryBytes: IN_MEMORY })
  let [journal, restarted] = [
    journals[1],
    await createTestNode({ mode: 'manual' }, { journal: journals[1], clock }),
  ] as readonly [MemoryJournal, TestNode]
  for (const each of [...moves, ['restart'] as Move]) {
    if (each[0] === 'restart') {
      journal = journal.afterCrash()
      restarted = await createTestNode({}, { journal, clock })
    } else {
      const expected = await answer(lasting, each)
      if (!isWithoutStates(expected)) expect(await answer(restarted, each), JSON.stringify(each)).toEqual(expected)
    }
    const [found, expected] = [await heights(restarted), await heights(lasting)]
    expect(found.map(([block]) => block)).toEqual(expected.map(([block]) => block))
    for (const [number, [, balance]] of expected.entries()) {
      if (isWithoutStates(balance)) continue
      compared++
      expect(found[number]?.[1], `${number} of ${JSON.stringify(moves)}`).toBe(balance)
    }
  }
  return compared
}

/** What the chain has let go may still be there after a restart, for a while. */
function isWithoutStates(outcome: unknown): boolean {
  return typeof outcome === 'string' && /only the newest (blocks )?keep their/.test(outcome)
}

test.each<[string, Move[]]>([
  [
    'a reorganisation',
    [['mine', 4], ['evm_snapshot'], ['restart'], ['devnet_reorg', 3], ['evm_revert', '0x1'], ['devnet_reorg', 2]],
  ],
  [
    'a rollback before the restart',
    [['mine', 3], ['evm_snapshot'], ['anvil_rollback', 3], ['restart'], ['evm_revert', '0x1']],
  ],
  ['a reset', [['mine', 3], ['evm_snapshot'], ['anvil_reset'], ['mine', 1], ['restart'], ['evm_revert', '0x1']]],
  [
    'many blocks',
    [['mine', 4], ['evm_snapshot'], ['mine', 300], ['restart'], ['evm_revert', '0x1'], ['devnet_reorg', 3]],
  ],
])('a snapshot brings back all states that the chain had, after %s and a restart', async (_what, moves) => {
  expect(await compare(moves)).toBeGreaterThan(10)
})

test('a chain answers the same with restarts as without, whatever is mined, saved, taken back and reverted', async () => {
  const runs = runsOf(25)
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 20 }), async (moves) => {
      compared += await compare(moves)
    }),
    { numRuns: runs },
  )
  expect(compared).toBeGreaterThan(4 * runs)
})

test('differences that only a snapshot needed are gone with it', async () => {
  const journal = new MemoryJournal()
  const clock = new FakeClock()
  const node = await createTestNode({ mode: 'manual' }, { journal, clock })
  await answer(node, ['mine', 9])
  await node.request('evm_snapshot')
  await node.request('devnet_reorg', [9])
  expect(await journal.readAll('diffs')).toHaveLength(9)
  await node.request('devnet_forgetSnapshots')
  expect(await journal.readAll('diffs')).toHaveLength(0)
  expect(await journal.readAll('blocks')).toHaveLength(0)
})

test('a journal that has lost the record of its chain is damaged, and stays as it is', async () => {
  const written = new MemoryJournal()
  const { node, request } = await createTestNode({ mode: 'manual' }, { journal: written })
  await request('evm_mine')
  await node.close()
  const journal = written.reopen()
  await journal.write([{ kind: 'delete', part: 'meta', key: 'chain' }])
  const entries = async () => Promise.all(JOURNAL_PARTS.map((part) => journal.readAll(part)))
  const before = await entries()
  await expect(createTestNode({ mode: 'manual' }, { journal })).rejects.toMatchObject({
    code: 'corrupt',
  })
  expect(await entries()).toEqual(before)
  for (const part of JOURNAL_PARTS.slice(1)) await journal.write([{ kind: 'clear', part }])
  await expect(createTestNode({ mode: 'manual' }, { journal })).rejects.toThrow(
    'the record that describes it is missing',
  )
})
