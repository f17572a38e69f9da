import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { HeldClock } from '#testing/primitives/held-clock.ts'
import { createNode } from '../node.ts'
import { Turns } from '../turns/turns.ts'
import { MAX_BODIES, WorkQueue, WorkQueues } from './work-queues.ts'

const turns = new Turns(new FakeClock())
const present = { gone: false }
const LIMIT = { name: 'RpcRefusedError', code: 'limit-exceeded' }

test('calls take all free slots at once, the others wait until one ends', async () => {
  const queue = new WorkQueue('traces', 2, turns)
  expect(queue.enter(present)).toBeUndefined()
  const begun: number[] = []
  const [second, third, fourth] = [2, 3, 4].map((id) => queue.enter(present)?.then(() => begun.push(id)))
  await second
  await turns.yield()
  expect(begun).toEqual([2])
  queue.leave()
  await third
  await turns.yield()
  expect(begun).toEqual([2, 3])
  queue.leave()
  await fourth
  expect(begun).toEqual([2, 3, 4])
  queue.leave()
  queue.leave()
  expect(queue.enter(present)).toBeUndefined()
})

test('waiting calls start one by one, each in a separate turn, even if several slots become free at once', async () => {
  const clock = new HeldClock()
  const queue = new WorkQueue('calls', 3, new Turns(clock))
  const begun: number[] = []
  for (let i = 0; i < 6; i++) void queue.enter(present)?.then(() => begun.push(i))
  for (let turn = 0; turn < 3; turn++) await clock.handOver()
  expect(begun).toEqual([1, 2])
  for (let i = 0; i < 3; i++) queue.leave()
  for (const expected of [
    [1, 2, 3],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ]) {
    await setImmediate()
    expect(begun).toEqual(expected)
    await clock.handOver()
  }
})

test('short calls that arrive together run in one turn until a slice of it is used up', async () => {
  const clock = new HeldClock()
  const queue = new WorkQueue('calls', 16, new Turns(clock))
  const done: number[] = []
  const call = async (id: number) => {
    clock.jump(5)
    done.push(id)
  }
  const calls = [1, 2, 3, 4, 5].map((id) => queue.run(present, () => call(id)))
  for (const expected of [
    [1, 2],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ]) {
    await setImmediate()
    expect(done).toEqual(expected)
    await clock.handOver()
  }
  await Promise.all(calls)
})

test('a call whose caller has gone while it waited is skipped', async () => {
  const queue = new WorkQueue('traces', 1, turns)
  void queue.enter(present)
  const caller = { gone: false }
  const left = queue.enter(caller)
  const next = queue.enter(present)
  caller.gone = true
  queue.leave()
  await expect(left).rejects.toMatchObject({ message: 'the caller has gone' })
  await expect(next).resolves.toBeUndefined()
})

test('a thousand calls may wait, and one more is refused with a clear message', () => {
  const queue = new WorkQueue('traces', 1, turns)
  for (let i = 0; i < 1_001; i++) void queue.enter(present)
  expect(() => queue.enter(present)).toThrow(expect.objectContaining(LIMIT) as Error)
  expect(() => queue.enter(present)).toThrow('too many traces at a time: 1000 are waiting already')
})

test('bodies in progress share a budget, which may be used up exactly; a single body is always accepted', () => {
  const work = new WorkQueues(turns)
  const edge = 128 * 1024 * 1024
  expect(work.takeBody(edge)).toBeUndefined()
  expect(work.takeBody(1)).toMatchObject({ code: -32005 })
  work.giveBody(1)
  expect(work.takeBody(1)).toBeUndefined()
  work.giveBody(edge)
  expect(work.takeBody(edge * 2)).toBeUndefined()
})

test('the number of bodies in progress is limited, no matter how small they are', () => {
  const work = new WorkQueues(turns)
  for (let i = 0; i < MAX_BODIES; i++) expect(work.takeBody(1)).toBeUndefined()
  expect(work.takeBody(1)).toMatchObject({
    code: -32005,
    message: expect.stringContaining('20000 requests in progress') as string,
  })
  work.giveBody(1)
  expect(work.takeBody(1)).toBeUndefined()
})

const MEBI = 1024 * 1024

test('large bodies are parsed when there is room for their values, in order of arrival', async () => {
  const work = new WorkQueues(turns)
  const read: number[] = []
  const enter = (characters: number, id: number) => work.enterReading(characters)?.then(() => read.push(id))
  expect(enter(9 * MEBI, 1)).toBeUndefined()
  expect(enter(7 * MEBI, 2)).toBeUndefined()
  const third = enter(7 * MEBI, 3)
  // This one would fit, but another one is waiting before it.
  const fourth = enter(70_000, 4)
  await turns.yield()
  expect(read).toEqual([])
  // Ordinary calls never wait.
  expect(enter(64 * 1024, 5)).toBeUndefined()
  work.leaveReading(9 * MEBI)
  await Promise.all([third, fourth])
  expect(read).toEqual([3, 4])
})

test('a body larger than the limit is parsed when no other one is', async () => {
  const work = new WorkQueues(turns)
  expect(work.enterReading(70_000)).toBeUndefined()
  let isRead = false
  const huge = work.enterReading(200 * MEBI)?.then(() => {
    isRead = true
  })
  await turns.yield()
  expect(isRead).toBe(false)
  work.leaveReading(70_000)
  await huge
  expect(work.enterReading(70_000)).toBeInstanceOf(Promise)
})

test('large bodies that arrive together are parsed in several turns', async () => {
  const clock = new HeldClock()
  const work = new WorkQueues(new Turns(clock))
  const read: number[] = []
  for (const id of [1, 2, 3]) {
    const turn = work.enterReading(MEBI)
    const parse = () => {
      clock.jump(10)
      read.push(id)
    }
    if (turn) void turn.then(parse)
    else parse()
  }
  expect(read).toEqual([1])
  for (const expected of [
    [1, 2],
    [1, 2, 3],
  ]) {
    await clock.handOver()
    expect(read).toEqual(expected)
  }
})

test('two batches with large answers run at a time, and small ones never wait', async () => {
  const work = new WorkQueues(turns)
  const batches = Array.from({ length: 4 }, () => work.openBatch(present))
  const done: number[] = []
  const adding = batches.map((batch, i) => batch.add(2 * MEBI).then(() => done.push(i)))
  await work.openBatch(present).add(MEBI)
  await Promise.all([adding[0], adding[1], turns.yield()])
  expect(done).toEqual([0, 1])
  // A batch that has its turn may exceed it.
  await batches[0]?.add(20 * MEBI)
  batches[0]?.close()
  await adding[2]
  expect(done).toEqual([0, 1, 2])
  batches[1]?.close()
  await adding[3]
})

test('answers of waiting batches share a budget, and a batch beyond it is refused with a clear message', async () => {
  const work = new WorkQueues(turns)
  const [first, second, third, fourth] = Array.from({ length: 4 }, () => work.openBatch(present))
  await Promise.all([first?.add(2 * MEBI), second?.add(2 * MEBI)])
  const waiting = third?.add(60 * MEBI)
  await expect(fourth?.add(5 * MEBI)).rejects.toMatchObject({
    ...LIMIT,
    message: expect.stringContaining('Send fewer batches at a time') as string,
  })
  fourth?.close()
  first?.close()
  await waiting
  // Room again.
  const fifth = work.openBatch(present)
  const late = fifth.add(60 * MEBI)
  second?.close()
  await late
})

test('batches with large answers end one after the other, each with all of its answers', async () => {
  const { node } = await createTestNode({ mode: 'manual' })
  const to = `0x${'77'.repeat(20)}`
  // Returns 200,000 bytes.
  const params = [{ to }, 'latest', { [to]: { code: '0x62030d405ff3' } }]
  const calls = Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_call', params }))
  const connection = node.connect()
  const answers = await Promise.all(Array.from({ length: 5 }, () => connection.handle(JSON.stringify(calls))))
  for (const answer of answers) {
    const results = JSON.parse(answer ?? '[]') as { readonly id: number; readonly result: string }[]
    expect(results.map(({ id, result }) => [id, result.length])).toEqual(calls.map(({ id }) => [id, 400_002]))
  }
})

/** Advances by itself, by that many milliseconds with each look at it. */
class BusyClock extends FakeClock {
  readonly #step: number
  yields = 0

  constructor(step: number) {
    super()
    this.#step = step
  }

  override now(): number {
    this.jump(this.#step)
    return super.now()
  }

  override yield(): Promise<void> {
    this.yields++
    return super.yield()
  }
}

/**
 * A node on which calls time out quickly. A call whose caller is gone stops at the first look, long before that;
 * without the guard each of these calls would end with "execution aborted".
 */
const hurriedNode = () => createTestNode({ mode: 'manual' }, { clock: new BusyClock(100) })

// A loop without an end: JUMPDEST, PUSH0, JUMP.
const LOOP = { to: `0x${'77'.repeat(20)}`, gas: '0x1c9c380' }
const FOREVER = { stateOverrides: { [LOOP.to]: { code: '0x5b5f56' } } }

test('traces whose caller has gone are stopped, and those of others get their turn', async () => {
  const { node, request } = await hurriedNode()
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
  for (const text of await answers) expect(text).toContain('the caller has gone')
  expect(await request('debug_traceCall', [{ to: LOOP.to }, 'latest', { tracer: 'callTracer' }])).toMatchObject({
    type: 'CALL',
  })
})

const OVERRIDE = { [LOOP.to]: { code: '0x5b5f56' } }
const LONG_CALLS = [
  ['eth_call', [LOOP, 'latest', OVERRIDE]],
  ['eth_estimateGas', [LOOP, 'latest', OVERRIDE]],
  ['eth_createAccessList', [LOOP, 'latest', OVERRIDE]],
  ['eth_simulateV1', [{ blockStateCalls: [{ stateOverrides: OVERRIDE, calls: [LOOP] }] }, 'latest']],
] as const

test.each(LONG_CALLS)('%s stops when its caller has gone', async (method, params) => {
  const { node } = await hurriedNode()
  const leaver = node.connect(() => undefined)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answers = Promise.all(Array.from({ length: 4 }, () => leaver.handle(body)))
  leaver.close()
  for (const text of await answers) expect(text).toContain('the caller has gone')
})

test('calls of a caller that has gone leave their turn to others on a shared connection', async () => {
  const { node, request } = await hurriedNode()
  const shared = node.connect()
  const caller = { gone: false }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [LOOP, 'latest', OVERRIDE] })
  const answers = Array.from({ length: 500 }, () => shared.handle(body, caller))
  caller.gone = true
  expect(await request('eth_call', [{ to: LOOP.to }, 'latest'])).toBe('0x')
  for (const text of await Promise.all(answers)) expect(text).toContain('the caller has gone')
})

test('a trace with much output for little gas yields like others', async () => {
  const busy = new BusyClock(1)
  const node = await createNode({ mode: 'manual' }, { clock: busy, log: () => undefined })
  // MLOAD at 4 KiB, then 2,000 steps that cost next to nothing, each with all of the memory.
  const code = `0x61100051${'5b'.repeat(2_000)}`
  const params = [{ to: LOOP.to }, 'latest', { stateOverrides: { [LOOP.to]: { code } }, enableMemory: true }]
  const before = busy.yields
  const answer = await node
    .connect()
    .handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'debug_traceCall', params }))
  expect(answer).toContain('"failed":false')
  expect(busy.yields - before).toBeGreaterThan(5)
  await node.close()
})

test('calls that arrive together get separate turns of the thread', async () => {
  const clock = new BusyClock(0)
  const { node } = await createTestNode({ mode: 'manual' }, { clock })
  const before = clock.yields
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: LOOP.to }, 'latest'] })
  const connection = node.connect()
  await Promise.all(Array.from({ length: 10 }, () => connection.handle(body)))
  expect(clock.yields - before).toBeGreaterThanOrEqual(9)
})

test('a single expensive traced step is still executed', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  // KECCAK256 of nothing, and CREATE with nothing: 30 and 32,000 gas.
  const code = '0x5f5f205f5f5ff000'
  const options = { stateOverrides: { [LOOP.to]: { code } } }
  expect(await request('debug_traceCall', [{ to: LOOP.to }, 'latest', options])).toMatchObject({ failed: false })
})
