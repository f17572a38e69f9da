import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { gatherPort } from './gather-port.ts'
import type { PortEvent } from './messages.ts'

const open: MessagePort[] = []
afterEach(() => {
  for (const port of open.splice(0)) port.close()
})

/** Two connected gathering ports, and a record of what passes between them. */
function connected() {
  const { port1, port2 } = new MessageChannel()
  open.push(port1)
  const posts = vi.spyOn(port1, 'postMessage')
  const received: unknown[] = []
  gatherPort(port2).onmessage = ({ data }: PortEvent<unknown>) => received.push(data)
  return { near: gatherPort(port1), port2, posts, received }
}

test('messages posted in one task arrive in order, in one message', async () => {
  const { near, posts, received } = connected()
  near.postMessage({ id: 1 })
  near.postMessage({ id: 2 })
  near.postMessage({ id: 3 })
  await vi.waitFor(() => expect(received).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]))
  expect(posts).toHaveBeenCalledTimes(1)
})

test('a single message is sent as it is, before the next task', async () => {
  const { near, posts } = connected()
  near.postMessage({ id: 1 })
  await Promise.resolve()
  expect(posts.mock.calls).toEqual([[{ id: 1 }]])
})

test('a message with transferred objects does not overtake earlier ones', async () => {
  const { near, received } = connected()
  const { port1, port2 } = new MessageChannel()
  open.push(port1)
  near.postMessage({ id: 1 })
  near.postMessage({ id: 2, port: port2 }, [port2] as never)
  near.postMessage({ id: 3 })
  await vi.waitFor(() => expect(received).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]))
})

test('however messages are spread over tasks, all arrive in order, few at a time', async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(sizes, async (tasks) => {
      const { near, posts, received } = connected()
      let sent = 0
      for (const size of tasks) {
        for (let i = 0; i < size; i++) near.postMessage({ id: sent++ })
        await Promise.resolve()
      }
      await vi.waitFor(() => expect(received).toHaveLength(sent))
      expect(received).toEqual(Array.from({ length: sent }, (_, id) => ({ id })))
      expect(posts).toHaveBeenCalledTimes(tasks.reduce((sum, size) => sum + Math.ceil(size / 32), 0))
    }),
    { numRuns: 30 },
  )
})

test('when the handler throws on a message, the others still arrive, and the host sees the error', async () => {
  const { port1, port2 } = new MessageChannel()
  open.push(port1)
  const reported: unknown[] = []
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (error) => reported.push(error))
  try {
    const received: unknown[] = []
    gatherPort(port2).onmessage = ({ data }: PortEvent<unknown>) => {
      if (data === 'bad') throw new Error('not this one')
      received.push(data)
    }
    port1.postMessage(['first', 'bad', 'last'])
    await vi.waitFor(() => expect(reported).toEqual([new Error('not this one')]))
    expect(received).toEqual(['first', 'last'])
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of listeners) process.on('unhandledRejection', listener)
  }
})
