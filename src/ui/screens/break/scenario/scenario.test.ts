import { describe, expect, test } from 'vitest'
import { parseFate } from '#fates/fault.ts'
import { replayedChain } from '#testing/fates/replayed-chain.ts'
import {
  CARES,
  CHAIN_OPTIONS,
  runHistory,
  runScenario,
  type ScenarioHistory,
  type ScenarioProgress,
  type Way,
} from './scenario.ts'

const openChain = () => replayedChain('chain', CHAIN_OPTIONS)

async function lived(way: Way, fate: string): Promise<ScenarioHistory> {
  return runHistory(await openChain(), way, parseFate(fate))
}

const places = ({ careless }: ScenarioHistory) => careless.truths.map(({ tick, place }) => `${tick} ${place}`)
const screens = (history: ScenarioHistory, care: (typeof CARES)[number]) =>
  history[care].shown.map(({ tick, text }) => `${tick} ${text}`)

describe.each([
  ['polling', 16],
  ['subscribing', 22],
] as const)('a dapp that learns by %s', (way, count) => {
  test('meets every history of one fault, and the careful one is wrong in none', async () => {
    const told: ScenarioProgress[] = []
    const { histories, leftOut } = await runScenario(await openChain(), {
      way,
      depth: 1,
      onProgress: (progress) => told.push(progress),
    })
    expect(histories).toHaveLength(count)
    expect(leftOut).toEqual([])
    expect(histories[0]?.fate).toBe('')
    expect(histories.filter(({ careful }) => careful.verdict.kind !== 'right')).toEqual([])
    expect(histories.filter(({ careless }) => careless.verdict.kind === 'wrong').length).toBeGreaterThan(5)
    expect(told.at(-1)).toEqual({ phase: 'running', done: count - 1, of: count })
  })

  test('keeps its promise without faults: the careless dapp says “Paid” at 200 ms, the careful one a block after the seal', async () => {
    const history = await lived(way, '')
    expect(places(history)).toEqual(['0 mempool', '1 preconfirmed', '10 sealed'])
    expect(screens(history, 'careless')).toEqual(['0 Paying…', '1 Paid'])
    expect(screens(history, 'careful').at(-1)).toBe('20 Paid')
    expect(history.careless.verdict.kind).toBe('lucky')
  })
})

test('a pre-confirmation that is withdrawn makes the first “Paid” untrue', async () => {
  const history = await lived('subscribing', 'withdraw@1')
  expect(places(history)).toEqual(['0 mempool', '1 preconfirmed', '1 mempool', '2 preconfirmed', '10 sealed'])
  expect(history.careless.verdict).toEqual({ kind: 'wrong', words: 'It says “Paid” for 0.2 s while nothing is paid.' })
  expect(screens(history, 'careful')).toContain('1 Waiting for the chain')
})

test('an answer that is lost has the careless dapp pay twice, and the careful one once', async () => {
  const { careless, careful } = await lived('polling', 'lost-answer@send1')
  expect(careless.truths.at(-1)).toMatchObject({ tick: 10, place: 'sealed', payments: 2 })
  expect(careless.verdict.words).toBe('It paid twice.')
  // Told with the send that it meets, before what the dapp makes of it.
  expect(careless.strikes).toEqual([{ tick: 0, what: 'the answer was lost', after: 2 }])
  expect(careless.said.slice(1, 3)).toMatchObject([{ method: 'eth_sendTransaction' }, { kind: 'show' }])
  expect(careful.truths.at(-1)).toMatchObject({ tick: 10, place: 'sealed', payments: 1 })
})

test('a stream that stalls leaves the careless dapp waiting for ever, and the careful one looks by itself', async () => {
  const { careless, careful } = await lived('subscribing', 'silent-stream@0')
  expect(careless.shown.map(({ text }) => text)).toEqual(['Paying…'])
  expect(careless.verdict.words).toBe('It waits for ever, and the payment was made.')
  expect(careful.said.filter(({ kind, tick }) => kind === 'event' && tick < 10)).toEqual([])
  expect(careful.verdict.kind).toBe('right')
})

test('an answer that is held comes with its own tick, and events before it are missed', async () => {
  const { careless } = await lived('subscribing', 'late-answer@send1')
  const send = careless.said.find((each) => each.kind === 'call' && each.method === 'eth_sendTransaction')
  expect(send).toMatchObject({ tick: 0, answeredAt: 2 })
})

test('a replaced payment is told as not paid', async () => {
  const { careful } = await lived('polling', 'replace@1')
  expect(careful.shown.at(-1)).toMatchObject({ claim: 'failed' })
  expect(careful.truths.at(-1)).toMatchObject({ place: 'replaced', payments: 0 })
})

test('a run is the same each time', async () => {
  const chain = await openChain()
  const fate = parseFate('reorg@11,lost-event@1')
  const once = await runHistory(chain, 'subscribing', fate)
  expect(await runHistory(chain, 'subscribing', fate)).toEqual(once)
})

test('a fate that no search has found is run as well', async () => {
  const also = parseFate('withdraw@5')
  const { histories } = await runScenario(await openChain(), { way: 'polling', depth: 1, also: [also, []] })
  expect(histories).toHaveLength(17)
  expect(histories.at(-1)?.fate).toBe('withdraw@5')
})

test('a search and its runs end when they are cancelled', async () => {
  const chain = await openChain()
  for (const phase of ['looking', 'running'] as const) {
    const cancel = new AbortController()
    const run = runScenario(chain, {
      way: 'polling',
      depth: 1,
      signal: cancel.signal,
      onProgress(progress) {
        if (progress.phase === phase) cancel.abort(new Error(`cancelled while ${phase}`))
      },
    })
    await expect(run).rejects.toThrow(`cancelled while ${phase}`)
  }
})
