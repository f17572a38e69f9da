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
