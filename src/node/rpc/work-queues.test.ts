import { expect, test } from 'vitest'
import { createTestNode } from '../testing/test-node.ts'
import { WorkQueue, WorkQueues } from './work-queues.ts'

const present = { gone: false }
const LIMIT = { name: 'RpcRefusedError', code: 'limit-exceeded' }

test('as many as there are slots have their turn at once, the others one after the other (A6)', async () => {
  const queue = new WorkQueue('traces', 2)
  expect([queue.enter(present), queue.enter(present)]).toEqual([undefined, undefined])
  const turns: number[] = []
  const third = queue.enter(present)?.then(() => turns.push(3))
  const fourth = queue.enter(present)?.then(() => turns.push(4))
  queue.leave()
  await third
  expect(turns).toEqual([3])
  queue.leave()
  await fourth
  expect(turns).toEqual([3, 4])
  queue.leave()
  expect(queue.enter(present)).toBeUndefined()
})

test('a caller that has gone while it waited has no turn (A6)', async () => {
  const queue = new WorkQueue('traces', 1)
  void queue.enter(present)
  const caller = { gone: false }
  const left = queue.enter(caller)
  const next = queue.enter(present)
  caller.gone = true
  queue.leave()
  await expect(left).rejects.toMatchObject({ message: 'the caller has gone' })
  await expect(next).resolves.toBeUndefined()
})

test('a thousand may wait, and one more is told so in words (A6)', () => {
  const queue = new WorkQueue('traces', 1)
  for (let i = 0; i < 1_001; i++) void queue.enter(present)
  expect(() => queue.enter(present)).toThrow(expect.objectContaining(LIMIT) as Error)
  expect(() => queue.enter(present)).toThrow('too many traces at a time: 1000 wait already')
})

test('bodies under way have a budget, to its edge, and one body alone is always taken (A6)', () => {
  const work = new WorkQueues()
  const edge = 128 * 1024 * 1024
  expect(work.takeBody(edge)).toBeUndefined()
  expect(work.takeBody(1)).toMatchObject({ code: -32005 })
  work.giveBody(1)
  expect(work.takeBody(1)).toBeUndefined()
  work.giveBody(edge)
  expect(work.takeBody(edge * 2)).toBeUndefined()
})

// A loop without an end: JUMPDEST, PUSH0, JUMP.
const LOOP = { to: `0x${'77'.repeat(20)}`, gas: '0x1c9c380' }
const FOREVER = { stateOverrides: { [LOOP.to]: { code: '0x5b5f56' } }, timeout: '60s' }

test('traces whose caller has gone are stopped, and those of others have their turn (A6)', async () => {
  const { node, request } = await createTestNode({ mode: 'manual' })
  const leaver = node.connect(() => undefined)
  const trace = (id: number) =>
    leaver.handle(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'debug_traceCall',
        params: [LOOP, 'latest', { ...FOREVER, tracer: 'callTracer' }],
      }),
    )
  const answers = Promise.all(Array.from({ length: 60 }, (_, id) => trace(id)))
  leaver.close()
  const texts = await answers
  expect(texts.filter((text) => text?.includes('the caller has gone')).length).toBeGreaterThan(50)
  expect(await request('debug_traceCall', [{ to: LOOP.to }, 'latest', { tracer: 'callTracer' }])).toMatchObject({
    type: 'CALL',
  })
})
