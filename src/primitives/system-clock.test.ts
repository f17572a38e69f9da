import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createSystemClock, type TimerHost } from './system-clock.ts'

const opened: MessageChannel[] = []
afterEach(() => {
  for (const { port1 } of opened.splice(0)) port1.close()
})

const node = globalThis as unknown as TimerHost
/** As in a browser, with what it opens. */
const browser: TimerHost = {
  performance: globalThis.performance,
  Date: node.Date,
  setTimeout: node.setTimeout,
  clearTimeout: node.clearTimeout,
  MessageChannel: class extends MessageChannel {
    constructor() {
      super()
      opened.push(this)
    }
  },
}

describe.each([
  ['Node.js', node],
  ['a browser', browser],
])('on %s', (_name, host) => {
  test('who yields goes on after what has arrived, in turn', async () => {
    const clock = createSystemClock(host)
    const order: string[] = []
    const { port1, port2 } = new MessageChannel()
    opened.push({ port1, port2 })
    const arrived = new Promise<void>((resolve) => {
      port1.onmessage = () => {
        order.push('message')
        resolve()
      }
    })
    port2.postMessage('before')
    const first = clock.yield().then(() => order.push('first'))
    const second = clock.yield().then(() => order.push('second'))
    await Promise.all([arrived, first, second])
    expect(order.filter((entry) => entry !== 'message')).toEqual(['first', 'second'])
    await clock.yield()
    expect(order).toContain('message')
  })

  test('a callback is called off', async () => {
    const clock = createSystemClock(host)
    const called: string[] = []
    const cancel = clock.schedule(() => void called.push('off'), 0)
    cancel()
    await new Promise<void>((resolve) => clock.schedule(resolve, 1.5))
    expect(called).toEqual([])
    cancel()
  })
})

test('on Node.js, who yields lets all connections in that wait, not one in each turn', async () => {
  let now = 0
  const { nodeTiming } = globalThis.performance as TimerHost['performance']
  const clock = createSystemClock({ ...node, performance: { timeOrigin: 0, now: () => now, nodeTiming } as const })
  const server = createServer()
  let accepted = 0
  server.on('connection', () => accepted++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'))
  let yields = 0
  for (; accepted < sockets.length; yields++) {
    const turn = clock.yield()
    // What the turn still takes does not count.
    now += 1_000
    await turn
  }
  expect(yields).toBeLessThan(10)
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('on Node.js, who yields goes on after a while, however much arrives', async () => {
  let now = 0
  let events = 0
  const performance = {
    timeOrigin: 0,
    now: () => now++,
    get nodeTiming() {
      return { uvMetricsInfo: { events: events++ } }
    },
  }
  const clock = createSystemClock({ ...node, performance })
  await clock.yield()
  expect(events).toBeGreaterThan(3)
  expect(events).toBeLessThan(20)
})
