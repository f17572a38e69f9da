import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problemOf } from '#client/session/remote-problem.ts'
import { connectSocket, type SocketLike } from './remote-socket.ts'

class FakeSocket implements SocketLike {
  readonly sent: string[] = []
  closed = false
  readyState: SocketLike['readyState'] = 1
  onopen: SocketLike['onopen'] = null
  onmessage: SocketLike['onmessage'] = null
  onclose: SocketLike['onclose'] = null
  send(body: string): void {
    this.sent.push(body)
  }
  close(): void {
    this.closed = true
  }
  say(message: unknown): void {
    const data = typeof message === 'object' ? JSON.stringify(message) : message
    ;(this.onmessage as ((event: { data: unknown }) => void) | null)?.({ data })
  }
}

const request = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] })

function setUp(open = true) {
  const socket = new FakeSocket()
  const onNotification = vi.fn<(body: string) => void>()
  const onLost = vi.fn<(error: Error) => void>()
  const link = connectSocket(socket, { onNotification, onLost })
  const opened = () => (socket.onopen as (() => void) | null)?.()
  if (open) opened()
  return { socket, link, onNotification, onLost, opened, drop: () => (socket.onclose as (() => void) | null)?.() }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('calls made before the socket is open wait for it, and answers find their calls in any order', async () => {
  const { socket, link, opened } = setUp(false)
  const answers = Promise.all([link.request(request(1)), link.request(request(2))])
  expect(socket.sent).toEqual([])
  opened()
  expect(socket.sent).toEqual([request(1), request(2)])
  socket.say({ jsonrpc: '2.0', id: 2, result: 'two' })
  socket.say({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'one' } })
  expect((await answers).map((body): unknown => JSON.parse(body ?? ''))).toMatchObject([
    { error: { code: 1 } },
    { result: 'two' },
  ])
})

test('nothing is sent on a closing socket, and the call ends with it', async () => {
  const { socket, link, drop } = setUp()
  socket.readyState = 2
  const call = link.request(request(1))
  expect(socket.sent).toEqual([])
  drop()
  await expect(call).rejects.toThrow('the connection was lost')
})

test('notifications are passed on', () => {
  const { socket, onNotification } = setUp()
  const notification = { jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0x1', result: {} } }
  socket.say(notification)
  expect(onNotification).toHaveBeenCalledWith(JSON.stringify(notification))
})

test('a socket that does not open is reported as an unreachable endpoint', async () => {
  const { link, drop, onLost } = setUp(false)
  const pending = link.request(request(1)).catch(problemOf)
  drop()
  expect(await pending).toEqual({ code: 'unreachable' })
  expect(onLost).toHaveBeenCalledOnce()
})

test('a loss ends every pending call, once', async () => {
  const { link, drop, onLost, socket } = setUp()
  const pending = link.request(request(1))
  drop()
  await expect(pending).rejects.toThrow('the connection was lost')
  await expect(link.request(request(2))).rejects.toThrow('the connection was lost')
  expect(onLost).toHaveBeenCalledOnce()
  expect(socket.closed).toBe(true)
})

test.each(['hello', 7])('%o is no JSON-RPC', async (garbage) => {
  const { link, socket } = setUp()
  const pending = link.request(request(1)).catch(problemOf)
  socket.say(garbage)
  expect(await pending).toEqual({ code: 'no-json-rpc' })
})

test('an endpoint that stays silent for long counts as lost', async () => {
  const { link, onLost } = setUp()
  const pending = link.request(request(1)).catch(problemOf)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await pending).toEqual({ code: 'silent' })
  expect(onLost).toHaveBeenCalledOnce()
})

test('closing does not count as a lost connection', async () => {
  const { link, onLost, socket } = setUp()
  const pending = link.request(request(1))
  link.close()
  await expect(pending).rejects.toThrow('the connection was closed')
  expect(socket.closed).toBe(true)
  expect(onLost).not.toHaveBeenCalled()
})
