import { expect, test, vi } from 'vitest'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { FromSolidity, ToSolidity } from '#solidity/worker/messages.ts'
import { FakeWorker } from '#testing/transport/fake-worker.ts'
import { createSolidityReader } from './solidity-reader.ts'

vi.mock('#solidity/worker/solidity-worker.ts?worker&url', () => ({ default: '' }))

const TRACE = { steps: 0 } as RpcExecutionTrace
const build = (id: string) => ({ id, read: async () => new Uint8Array() })
/** What a message asks, or its kind. */
const kindOf = (message: ToSolidity) => (message.kind === 'ask' ? message.question : message.kind)
/** Everything that was sent has arrived. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A reader, and the workers that it has started. */
function workers() {
  const started: FakeWorker<ToSolidity, FromSolidity>[] = []
  const start = () => {
    const worker = new FakeWorker<ToSolidity, FromSolidity>()
    started.push(worker)
    return worker
  }
  return { started, reader: createSolidityReader(start) }
}

const looked = (id: number) =>
  ({ kind: 'answered', id, answer: { refused: [] }, incomplete: [] }) as unknown as FromSolidity

test('a build is sent once, however many questions name it, and forgotten once none does', async () => {
  const { started, reader } = workers()
  const first = reader.ask('look', [build('a'), build('b')], { trace: TRACE })
  const [worker] = started
  await settled()
  worker?.say(looked(1))
  await first
  const second = reader.ask('look', [build('b')], { trace: TRACE })
  await settled()
  worker?.say(looked(2))
  await second
  expect(started).toHaveLength(1)
  expect(worker?.received.map(kindOf)).toEqual(['build', 'build', 'look', 'forget', 'look'])
  expect(worker?.received[3]).toEqual({ kind: 'forget', ids: ['a'] })
})

test('a code is recognised among the same builds', async () => {
  const { started, reader } = workers()
  const run = reader.ask('look', [build('a')], { trace: TRACE })
  await settled()
  started[0]?.say(looked(1))
  await run
  const question = reader.ask('recognise', [build('a')], { code: '0x6001' })
  await settled()
  expect(started[0]?.received.at(-1)).toEqual({
    kind: 'ask',
    id: 2,
    question: 'recognise',
    builds: ['a'],
    asked: { code: '0x6001' },
  })
  expect(started[0]?.received).toHaveLength(3)
  started[0]?.say({ kind: 'answered', id: 2, answer: undefined, incomplete: [] })
  expect(await question).toBeUndefined()
})

test('an initcode is answered by what it creates', async () => {
  const { started, reader } = workers()
  const question = reader.ask('creation', [build('a')], { initcode: '0x6001' })
  await settled()
  expect(started[0]?.received.at(-1)).toMatchObject({
    question: 'creation',
    builds: ['a'],
    asked: { initcode: '0x6001' },
  })
  const creation = { contract: 'A', path: 'A.sol', parameters: [], encoded: '0x' } as const
  started[0]?.say({ kind: 'answered', id: 1, answer: creation, incomplete: [] })
  expect(await question).toEqual(creation)
})

test('after a crash every question ends, and the next one starts another worker with all builds', async () => {
  const { started, reader } = workers()
  const crashed = reader.ask('look', [build('a')], { trace: TRACE })
  started[0]?.fail('out of memory')
  await expect(crashed).rejects.toMatchObject({
    code: 'broken',
    message: 'The sources could not be read: out of memory.',
  })
  const next = reader.ask('look', [build('a')], { trace: TRACE })
  expect(started).toHaveLength(2)
  await settled()
  expect(started[1]?.received.map(kindOf)).toEqual(['build', 'look'])
  started[1]?.say(looked(2))
  await expect(next).resolves.toMatchObject({ refused: [] })
})

test('a question without an answer fails alone', async () => {
  const { started, reader } = workers()
  const failing = reader.ask('look', [], { trace: TRACE })
  const other = reader.ask('look', [], { trace: TRACE })
  started[0]?.say({ kind: 'failed', id: 1, message: 'not a trace' })
  started[0]?.say(looked(2))
  await expect(failing).rejects.toMatchObject({ code: 'broken', message: 'not a trace' })
  await expect(other).resolves.toBeDefined()
  expect(started[0]?.ended).toBe(false)
})

test('a cancelled question ends the worker that would only answer it', async () => {
  const { started, reader } = workers()
  const abort = new AbortController()
  const cancelled = reader.ask('look', [build('a')], { trace: TRACE }, abort.signal)
  abort.abort()
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
  expect(started[0]?.ended).toBe(true)
})

const DAMAGED = { id: 'a', read: () => Promise.reject(new RangeError('damaged')) }

test.each([
  ['an answer', build('a'), [looked(1)]],
  ['a build that cannot be read', DAMAGED, []],
])('after %s, the worker ends once it is idle', async (_what, source, answers) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { started, reader } = workers()
  const question = reader.ask('look', [source], { trace: TRACE }).catch(() => undefined)
  await settled()
  for (const answer of answers) started[0]?.say(answer)
  await question
  vi.advanceTimersByTime(119_999)
  expect(started[0]?.ended).toBe(false)
  vi.advanceTimersByTime(1)
  expect(started[0]?.ended).toBe(true)
  vi.useRealTimers()
})

test('a build that cannot be read is a failure of its question', async () => {
  const { started, reader } = workers()
  await expect(reader.ask('look', [DAMAGED], { trace: TRACE })).rejects.toThrow('damaged')
  const next = reader.ask('look', [build('b')], { trace: TRACE })
  await settled()
  started[0]?.say(looked(2))
  await expect(next).resolves.toBeDefined()
})

test('the variables of a run are asked for with it once, and again after the worker has ended', async () => {
  const { started, reader } = workers()
  const run = { trace: TRACE, storage: { uses: '0x', isCut: false, before: {}, hashed: [] } } as const
  const data = { stack: [], memory: '0x', input: '0x' } as const
  const answer = (id: number) => ({ kind: 'answered', id, answer: {}, incomplete: [] }) as unknown as FromSolidity
  const first = reader.ask('variables', [build('a')], { run, step: 1, data })
  await settled()
  started[0]?.say(answer(1))
  await first
  const second = reader.ask('variables', [build('a')], { run, step: 2, data })
  await settled()
  started[0]?.say(answer(2))
  await second
  expect(started[0]?.received.slice(1).map((message) => message.kind === 'ask' && message.asked)).toEqual([
    { run, step: 1, data },
    { step: 2, data },
  ])
  const third = reader.ask('variables', [build('a')], { run, step: 3, data })
  await settled()
  started[0]?.fail('gone')
  await expect(third).rejects.toMatchObject({ code: 'broken' })
  const fourth = reader.ask('variables', [build('a')], { run, step: 4, data })
  await settled()
  started[1]?.say(answer(4))
  await fourth
  expect(started[1]?.received.at(-1)).toMatchObject({ question: 'variables', asked: { run, step: 4 } })
})
