import { expect, test } from 'vitest'
import type { Node } from '#node/node.ts'
import { UsageError } from '#server/cli/usage-error.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { DemandPool, type MadeChain } from './demand-pool.ts'

const call = (method: string, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params: [] })
const IDLE_MS = 1_000

/** A pool of chains without blocks, and what becomes of them. */
function poolOf(size = 3, methods: Readonly<Record<string, FakeMethod>> = {}) {
  const clock = new FakeClock()
  const closed: string[] = []
  const logged: string[] = []
  let made = 0
  const endpoints: FakeEndpoint[] = []
  const pool = new DemandPool({ clock, size, idleMs: IDLE_MS, log: (_level, message) => logged.push(message) })
  async function make(name: string): Promise<MadeChain> {
    made++
    const number = made
    const endpoint = new FakeEndpoint({ which: () => number, ...methods })
    endpoints.push(endpoint)
    const node: Node = {
      connect: (push, options) => endpoint.connect(push, options),
      start() {},
      close: async () => {},
    }
    return { node, close: async () => void closed.push(name) }
  }
  const at = (name: string, how = make) => pool.at(name, () => how(name))
  const ask = async (name: string, method = 'which') =>
    JSON.parse((await at(name).callers.sealed.handle(call(method))) ?? '{}') as unknown
  return { clock, pool, closed, logged, endpoints, at, ask, made: () => made }
}

test('each name has a chain of its own, which its first call makes', async () => {
  const { ask, at, made, pool } = poolOf()
  at('a')
  expect(made()).toBe(0)
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toMatchObject([{ result: 1 }, { result: 1 }, { result: 2 }])
  expect(pool.names()).toEqual(['a', 'b'])
  await pool.close()
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is a name like any other', async (name) => {
  const { ask, pool } = poolOf()
  expect(await ask(name)).toMatchObject({ result: 1 })
  expect(await ask(name)).toMatchObject({ result: 1 })
  expect(await pool.end(name)).toBe(true)
  expect(await pool.end(name)).toBe(false)
})

test('of a flood of names as many chains are made as there may be, and the others are refused with what to do', async () => {
  const { ask, made, pool } = poolOf(3)
  const answers = await Promise.all(Array.from({ length: 1_000 }, (_, i) => ask(`n${i}`)))
  expect(made()).toBe(3)
  expect(answers.filter((answer) => 'result' in (answer as object))).toHaveLength(3)
  expect(answers.at(-1)).toMatchObject({
    error: {
      code: -32005,
      message: expect.stringContaining('the pool is full: it has 3 chains; end one by DELETE') as string,
    },
  })
  expect(await ask('n0')).toMatchObject({ result: 1 })
  await pool.close()
})

test('a batch that finds the pool full is answered call by call', async () => {
  const { ask, at, pool } = poolOf(1)
  await ask('a')
  const batch = `[${call('which', 7)},${call('which', 8)},{"jsonrpc":"2.0","method":"which"}]`
  const answer = await at('b').callers.sealed.handle(batch)
  expect(JSON.parse(answer ?? '')).toMatchObject([
    { id: 7, error: { code: -32005 } },
    { id: 8, error: { code: -32005 } },
  ])
  await pool.close()
})

test('a chain that nobody has used for long enough is gone, and its name then stands for a new one', async () => {
  const { ask, clock, closed, pool } = poolOf()
  await ask('a')
  await clock.advance(IDLE_MS / 2)
  await ask('b')
  await clock.advance(IDLE_MS / 2)
  expect(closed).toEqual(['a'])
  await clock.advance(IDLE_MS / 2)
  expect(closed).toEqual(['a', 'b'])
  expect(pool.names()).toEqual([])
  expect(await ask('a')).toMatchObject({ result: 3 })
  await pool.close()
})

test('a call that takes longer than the idle time keeps its chain', async () => {
  let answer: (result: string) => void = () => {}
  const slow = new Promise<string>((resolve) => {
    answer = resolve
  })
  const { ask, clock, closed, pool } = poolOf(3, { slow: () => slow })
  const underWay = ask('a', 'slow')
  await clock.advance(3 * IDLE_MS)
  expect(closed).toEqual([])
  answer('done')
  expect(await underWay).toMatchObject({ result: 'done' })
  await clock.advance(IDLE_MS)
  expect(closed).toEqual(['a'])
  await pool.close()
})

test('a WebSocket keeps its chain from its first message to its end, and one that says nothing makes none', async () => {
  const { at, clock, closed, made, pool, endpoints } = poolOf()
  const socket = at('a').connect(
    () => true,
    { latest: 'sealed' },
    () => {},
  )
  expect(made()).toBe(0)
  expect(await socket.handle(call('which'))).toContain('"result":1')
  await clock.advance(5 * IDLE_MS)
  expect(closed).toEqual([])
  expect(endpoints[0]?.subscribers).toBe(1)
  socket.close()
  await expect.poll(() => endpoints[0]?.subscribers).toBe(0)
  await clock.advance(IDLE_MS)
  expect(closed).toEqual(['a'])
  const silent = at('b').connect(
    () => true,
    {},
    () => {},
  )
  silent.close()
  expect(made()).toBe(1)
  await pool.close()
})

test('the end of a chain cuts off its WebSockets, and those of no other', async () => {
  const { at, pool } = poolOf()
  const cut: string[] = []
  for (const name of ['a', 'b']) {
    await at(name)
      .connect(
        () => true,
        {},
        () => cut.push(name),
      )
      .handle(call('which'))
  }
  expect(await pool.end('a')).toBe(true)
  expect(cut).toEqual(['a'])
  await pool.close()
  expect(cut).toEqual(['a', 'b'])
})

test('a chain that is ending still counts, so that ends and calls in turn do not fill the memory', async () => {
  const { ask, at, pool } = poolOf(1)
  let end = () => {}
  const ending = new Promise<void>((resolve) => {
    end = resolve
  })
  const node: Node = {
    connect: () => new FakeEndpoint({ which: () => 0 }).connect(),
    start() {},
    close: async () => {},
  }
  await at('slow', async () => ({ node, close: () => ending })).callers.sealed.handle(call('which'))
  const over = pool.end('slow')
  expect(await ask('next')).toMatchObject({ error: { code: -32005 } })
  end()
  await over
  expect(await ask('next')).toMatchObject({ result: 1 })
  await pool.close()
})

test('what cannot be made takes no room: the callers are told why, and a later call tries again', async () => {
  const { ask, at, logged, pool } = poolOf(1)
  const fail = async () => {
    throw new UsageError('The chain cannot be forked: the endpoint does not answer.')
  }
  const answer = await at('a', fail).callers.sealed.handle(call('which'))
  expect(JSON.parse(answer ?? '')).toMatchObject({
    error: { code: -32000, message: expect.stringContaining('forked') as string },
  })
  const socket = at('a', fail).connect(
    () => true,
    {},
    () => {},
  )
  expect(await socket.handle(call('which'))).toContain('forked')
  socket.close()
  expect(logged).toHaveLength(2)
  expect(await ask('b')).toMatchObject({ result: 1 })
  await pool.close()
})

test('of a bug while a chain is made the caller learns nothing but that', async () => {
  const { at, pool } = poolOf()
  const answer = await at('a', () => Promise.reject(new TypeError('secret'))).callers.sealed.handle(call('which'))
  expect(JSON.parse(answer ?? '')).toMatchObject({ error: { code: -32603 } })
  expect(answer).not.toContain('secret')
  await pool.close()
})

test('the end of the pool makes none of those that wait', async () => {
  const { ask, at, made, pool } = poolOf(9)
  let go = () => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  let begun = false
  const first = at('slow', async () => {
    begun = true
    await gate
    throw new UsageError('too late')
  }).callers.sealed.handle(call('which'))
  const waiting = Promise.all(['a', 'b', 'c'].map((name) => ask(name)))
  await expect.poll(() => begun).toBe(true)
  const closing = pool.close()
  go()
  await closing
  expect(await first).toContain('too late')
  expect(await waiting).toMatchObject([{ error: { code: -32000 } }, {}, {}])
  expect(made()).toBe(0)
  expect(await ask('d')).toMatchObject({ error: { message: 'the server is stopping' } })
})
