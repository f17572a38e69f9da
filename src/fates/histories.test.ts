import { expect, test } from 'vitest'
import { replayedChain, transfers } from '#testing/fates/replayed-chain.ts'
import { signTransfer } from '#testing/node/test-node.ts'
import { FAULT_NAMES, type Fault, factsOf, formatFate, parseFate } from './fault.ts'
import { type FoundHistories, findHistories, seenUnder } from './histories.ts'

const fatesOf = ({ histories }: FoundHistories) => histories.map(({ fate }) => formatFate(fate))

test('the histories of one transaction and one fault, each with its smallest fate', async () => {
  const found = await findHistories([await replayedChain()], await transfers(1, false), { depth: 1 })
  expect(Object.fromEntries(found.histories.map(({ fate, seen }) => [formatFate(fate), seen.join(' ')]))).toEqual({
    '': 'w p s',
    'refuse@send1': 'send1-txpool is full',
    'late-answer@send1': 'w p s send1-late',
    'lost-answer@send1': 'w p s send1-request timed out',
    'lose@0': 'w -',
    'replace@0': 'w x',
    'late@0': 'w W p s',
    'lag@0': 'w p s nodes-differ',
    'no-pending@0': 'w s',
    'withdraw@2': 'w p w p s',
    'lose@2': 'w p -',
    'replace@2': 'w p x',
    'no-pending@2': 'w p w s',
    'lose@11': 'w p s -',
    'replace@11': 'w p s x',
    'reorg@11': 'w p s w p s',
  })
  expect(found.leftOut).toEqual([])
})

test('streams are looked at only for a dapp that listens', async () => {
  const found = await findHistories([await replayedChain()], await transfers(1, true), { depth: 1 })
  expect(fatesOf(found)).toEqual(expect.arrayContaining(['double-event@1', 'silent-stream@0', 'broken-stream@0']))
})

test.each([true, false])('moments that are not played make no other history (listens: %s)', async (listens) => {
  const chain = await replayedChain()
  const recording = await transfers(1, listens)
  const found = await findHistories([chain], recording, { depth: 1 })
  const known = new Set(found.histories.map(({ seen }) => seen.join()))
  const kinds = FAULT_NAMES.filter((kind) => factsOf(kind).moment === 'tick')
  const every = kinds.flatMap((kind): Fault[] =>
    Array.from({ length: 13 }, (_, at) => ({ kind, at })).filter(({ at }) => at >= factsOf(kind).from),
  )
  const unknown: string[] = []
  for (const fault of every) {
    const seen = await seenUnder([chain], recording, [fault])
    if (!known.has(seen.join())) unknown.push(formatFate([fault]))
  }
  expect(unknown).toEqual([])
})

test('what is put together of other plays is what its fate makes', async () => {
  const chain = await replayedChain()
  const recording = await transfers(1, false)
  const found = await findHistories([chain], recording, { depth: 2, withinMs: 250_000 })
  expect(found.played).toBeLessThan(found.schedules / 2)
  // Every third one: an even number would always take the same kinds.
  for (const { fate, seen } of found.histories.filter((_, index) => index % 3 === 0)) {
    expect([formatFate(fate), await seenUnder([chain], recording, fate)]).toEqual([formatFate(fate), seen])
  }
  expect(new Set(found.histories.map(({ seen }) => seen.join())).size).toBe(found.histories.length)
})

test('the same histories are found again, in the same order', async () => {
  const recording = await transfers(2, false)
  const find = async () => findHistories([await replayedChain()], recording, { depth: 1 })
  const [first, second] = [await find(), await find()]
  expect({ ...second, ms: 0 }).toEqual({ ...first, ms: 0 })
  const lengths = first.histories.map(({ fate }) => fate.length)
  expect(lengths).toEqual(lengths.toSorted((one, other) => one - other))
  expect(fatesOf(first)).toEqual(expect.arrayContaining(['refuse@send1', 'refuse@send2']))
})

test('what is left out is said: for its number, and for want of time', async () => {
  const chain = await replayedChain()
  const recording = await transfers(1, false)
  const few = await findHistories([chain], recording, { depth: 1, most: 3 })
  expect(few.histories).toHaveLength(3)
  expect(few.leftOut).toEqual(['13 histories: more than 3 were found'])
  const hurried = await findHistories([chain], recording, { depth: 2, withinMs: 1 })
  expect(hurried.histories[0]?.fate).toEqual([])
  expect(hurried.leftOut).toEqual([
    expect.stringMatching(/^\d+ schedules, and those with more faults: 1 ms were over$/),
  ])
})

test('two chains have the fates of each', async () => {
  const chains = [await replayedChain('l1', { chainId: 1 }), await replayedChain('base', { chainId: 31337 })]
  const raw = await signTransfer(0, 0)
  const recording = {
    acts: [
      { kind: 'send', chain: 'base', method: 'eth_sendRawTransaction', params: [raw] } as const,
      ...Array.from({ length: 2 }, () => [
        { kind: 'tick', chain: 'l1' } as const,
        { kind: 'tick', chain: 'base' } as const,
      ]).flat(),
    ],
    listens: false,
  }
  const found = await findHistories(chains, recording, { depth: 1, kinds: ['withdraw', 'lose', 'refuse'] })
  expect(fatesOf(found)).toEqual([
    '',
    'base:refuse@send1',
    'base:lose@0',
    'base:withdraw@2',
    'base:lose@2',
    'base:lose@11',
  ])
})

test.each([
  [{ depth: 5 }, 'depth is 0 to 4 faults'],
  [{ depth: -1 }, 'depth is 0 to 4 faults'],
  [{ most: 0 }, 'most is a number of histories'],
  [{ withinMs: 0 }, 'withinMs is above 0'],
])('%j is refused', async (options, message) => {
  await expect(findHistories([await replayedChain()], await transfers(1, false), options)).rejects.toThrow(message)
})

test('a recording that is too long is refused', async () => {
  const recording = { ...(await transfers(1, false)), isCut: true }
  await expect(findHistories([await replayedChain()], recording)).rejects.toThrow(/at most 100000 ticks and calls/)
})

test('changes of the test itself are played again, without what goes back in time', async () => {
  const chain = await replayedChain()
  const poor = parseFate('')
  const { acts } = await transfers(1, false)
  const change = (method: string, params: readonly unknown[]) =>
    ({ kind: 'change', chain: 'chain', method, params }) as const
  const sender = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  const seen = await seenUnder(
    [chain],
    { acts: [change('devnet_revert', ['0x1']), change('anvil_setNonce', [sender, 7]), ...acts], listens: false },
    poor,
  )
  expect(seen).toEqual([expect.stringContaining('nonce too low')])
})
