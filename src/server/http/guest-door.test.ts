import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import type { GuestDoor } from './guest-door.ts'
import { SERVER_LIMITS } from './limits.ts'
import { type SharedTexts, shareTexts } from './shared-text.ts'
import { type RunningServer, startServer } from './start-server.ts'

const GUESTS = 4

/** Lets in whoever calls the server by another name than localhost; each may do what the endpoint for guests does. */
class FakeDoor implements GuestDoor {
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

  isGuest({ headers }: IncomingMessage): boolean {
    return headers.host !== 'localhost'
  }
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
  const node = new FakeEndpoint({ who: () => 'the speaker' })
  server = await startServer(node, { host: '127.0.0.1', port: 0, log: () => {}, guests: door })
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate()
  await server.close()
})

function open(host = '10.0.0.1'): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}`, { headers: { host } })
  clients.push(socket)
  return socket
}

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'who' })

test('guests and others are answered each by their own, over HTTP and over WebSocket', async () => {
  const answers: string[] = []
  for (const host of ['10.0.0.1', 'localhost']) {
    const socket = open(host)
    await once(socket, 'open')
    socket.send(CALL)
    const [data] = (await once(socket, 'message')) as [Buffer]
    answers.push(data.toString())
  }
  expect(answers.map((answer) => (JSON.parse(answer) as { result: string }).result)).toEqual(['a guest', 'the speaker'])
  const posted = await fetch(`http://127.0.0.1:${server.port}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: CALL,
  })
  expect(await posted.json()).toMatchObject({ result: 'a guest' })
})

test('when the sockets of guests are all taken, others still get theirs', async () => {
  for (let i = 0; i < GUESTS; i++) await once(open(), 'open')
  const [error] = (await once(open(), 'error')) as [Error]
  expect(error.message).toContain('503')
  await once(open('localhost'), 'open')
})

test('a connection that the door does not admit is closed before anything is read', async () => {
  door.admits = false
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'close')
  expect(socket.bytesRead).toBe(0)
})

test('a request of a guest that is one too many ends its connection; others are answered', async () => {
  door.takes = false
  await expect(fetch(`http://127.0.0.1:${server.port}`)).rejects.toThrow('fetch failed')
  await once(open(), 'error')
  await once(open('localhost'), 'open')
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
    for (const push of door.pushes) push(event)
    sent++
    await expect.poll(() => got).toBe(sent)
  }
  expect(sent).toBeGreaterThan(2)
  expect(reader.readyState).toBe(reader.OPEN)
})
