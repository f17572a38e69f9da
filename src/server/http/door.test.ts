import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import type { Door } from './door.ts'
import { type SharedTexts, shareTexts } from './frames.ts'
import { SERVER_LIMITS } from './limits.ts'
import { type RunningServer, serveDoor } from './start-server.ts'

const GUESTS = 4

class FakeDoor implements Door {
  readonly limits = {
    ...SERVER_LIMITS,
    webSockets: GUESTS,
    bodyBytes: 1_000,
    bufferedBytes: 100_000,
    pushedBytes: 4_000_000,
  }
  readonly endpoint = new FakeEndpoint({ who: () => 'a guest' })
  readonly pushes = new Set<(body: string | SharedTexts) => void>()
  admits = true
  takes = true

  admit(): boolean {
    return this.admits
  }
  takeRequest(): boolean {
    return this.takes
  }
  callers() {
    const connection = this.endpoint.connect()
    return { sealed: connection, preconfirmed: connection }
  }
  connect(_socket: Socket, push: (body: string | SharedTexts) => void) {
    this.pushes.add(push)
    const { handle } = this.endpoint.connect()
    return { handle, close: () => void this.pushes.delete(push) }
  }
}

let door: FakeDoor
let server: RunningServer
const clients: WebSocket[] = []
beforeEach(async () => {
  door = new FakeDoor()
  server = await serveDoor(door, { host: '127.0.0.1', port: 0, log: () => {} })
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate()
  await server.close()
})

function open(): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}`)
  clients.push(socket)
  return socket
}

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'who' })

test('whoever comes by a door is answered by it, over HTTP and over WebSocket', async () => {
  const socket = open()
  await once(socket, 'open')
  socket.send(CALL)
  const [data] = (await once(socket, 'message')) as [Buffer]
  const posted = await fetch(`http://127.0.0.1:${server.port}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: CALL,
  })
  for (const answer of [JSON.parse(data.toString()), await posted.json()]) {
    expect(answer).toMatchObject({ result: 'a guest' })
  }
})

test('the sockets of a door are limited', async () => {
  for (let i = 0; i < GUESTS; i++) await once(open(), 'open')
  const [error] = (await once(open(), 'error')) as [Error]
  expect(error.message).toContain('503')
})

test('a connection that the door does not admit is closed before anything is read', async () => {
  door.admits = false
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'close')
  expect(socket.bytesRead).toBe(0)
})

test('a request that is one too many ends its connection', async () => {
  door.takes = false
  await expect(fetch(`http://127.0.0.1:${server.port}`)).rejects.toThrow('fetch failed')
  await once(open(), 'error')
  door.takes = true
  expect((await fetch(`http://127.0.0.1:${server.port}`)).status).toBe(200)
})

test.each([0, 125, 126, 65_535, 65_536])('what is shared arrives as it is, between answers: %d bytes', async (size) => {
  const socket = open()
  await once(socket, 'open')
  const received: string[] = []
  socket.on('message', (data, isBinary) => received.push(`${isBinary}:${(data as Buffer).toString()}`))
  for (const push of door.pushes) push(shareTexts(['é'.repeat(size >> 1).padEnd(size - (size >> 1), '.')]))
  for (const push of door.pushes) push('own')
  for (const push of door.pushes) push(shareTexts(['shared']))
  await expect.poll(() => received.length).toBe(3)
  expect(received.slice(1)).toEqual(['false:own', 'false:shared'])
  expect(Buffer.byteLength(received[0] ?? '')).toBe('false:'.length + size)
})

test('a guest who never reads is cut off, and those who read get everything', async () => {
  const [slow, reader] = [open(), open()]
  await Promise.all([once(slow, 'open'), once(reader, 'open')])
  let got = 0
  reader.on('message', () => got++)
  slow.pause()
  const event = shareTexts(['x'.repeat(50_000)])
  let sent = 0
  while (door.pushes.size > 1) {
    const arrived = once(reader, 'message')
    for (const push of door.pushes) push(event)
    sent++
    await arrived
  }
  expect(got).toBe(sent)
  expect(sent).toBeGreaterThan(2)
  expect(reader.readyState).toBe(reader.OPEN)
})
