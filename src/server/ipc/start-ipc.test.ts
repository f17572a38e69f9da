import { once } from 'node:events'
import { mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { type IpcOptions, type RunningIpc, startIpc } from './start-ipc.ts'

let folder: string
let file: string
let endpoint: FakeEndpoint
let logged: string[]
const running: RunningIpc[] = []
const clients: Socket[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-ipc-'))
  file = path.join(folder, 'node.ipc')
  logged = []
  endpoint = new FakeEndpoint({
    eth_chainId: () => '0x7a69',
    eth_subscribe: () => '0x1',
    large: () => 'x'.repeat(3_000_000),
    broken: () => Promise.reject(new Error('a bug')),
  })
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  for (const ipc of running.splice(0)) await ipc.close()
  await rm(folder, { recursive: true })
})

async function start(options: Partial<IpcOptions> = {}): Promise<RunningIpc> {
  const ipc = await startIpc(endpoint, { path: file, log: (_level, message) => logged.push(message), ...options })
  running.push(ipc)
  return ipc
}

async function open(): Promise<{ socket: Socket; lines: () => string[] }> {
  const socket = connect(file)
  clients.push(socket)
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { socket, lines: () => text.split('\n').slice(0, -1) }
}

/** Resolves when a socket closes, also if it breaks. */
const closing = (socket: Socket) => new Promise<'closed'>((resolve) => socket.once('close', () => resolve('closed')))

const rpc = (method: string, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params: [] })
const answer = (result: unknown, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, result })

test('each message is answered on a line of its own, and subscriptions come', async () => {
  await start()
  const { socket, lines } = await open()
  socket.write(`${rpc('eth_chainId')}\n${rpc('eth_subscribe', 2)}`)
  await expect.poll(lines).toEqual([answer('0x7a69'), answer('0x1', 2)])
  endpoint.notify('0x1', 5)
  await expect.poll(() => lines().length).toBe(3)
  socket.destroy()
  await expect.poll(() => endpoint.subscribers).toBe(0)
})

test('a client that has written all gets its answers before the connection ends', async () => {
  await start()
  const { socket, lines } = await open()
  socket.end(rpc('eth_chainId'))
  await closing(socket)
  expect(lines()).toEqual([answer('0x7a69')])
})

test('only this user may open the socket; nothing else is left beside it, and at the end nothing at all', async () => {
  const ipc = await start()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['node.ipc'])
  const closed = closing((await open()).socket)
  await ipc.close()
  await closed
  expect(await readdir(folder)).toEqual([])
})

test('a client that keeps its side open does not hold up the end', async () => {
  const ipc = await start()
  const socket = connect({ path: file, allowHalfOpen: true })
  clients.push(socket)
  await once(socket, 'connect')
  await ipc.close()
  expect(await readdir(folder)).toEqual([])
})

describe('the path is', () => {
  test('taken over from a node that was killed', async () => {
    const dead = createServer().listen(path.join(folder, 'dead'))
    await once(dead, 'listening')
    // As a kill leaves it: the file stays.
    await rename(path.join(folder, 'dead'), file)
    await new Promise((resolve) => dead.close(resolve))
    expect(await readdir(folder)).toEqual(['node.ipc'])
    await start()
    const { socket, lines } = await open()
    socket.write(rpc('eth_chainId'))
    await expect.poll(lines).toEqual([answer('0x7a69')])
  })

  test('not taken from a node that runs', async () => {
    await start()
    await expect(start()).rejects.toMatchObject({ name: 'IpcError', message: 'another program listens there' })
    const { socket, lines } = await open()
    socket.write(rpc('eth_chainId'))
    await expect.poll(lines).toEqual([answer('0x7a69')])
  })

  test('not that of a file, a directory or a link', async () => {
    await writeFile(file, 'precious')
    await symlink(file, path.join(folder, 'link'))
    for (const taken of [file, folder, path.join(folder, 'link')]) {
      await expect(start({ path: taken })).rejects.toThrow('it is there and is no socket')
    }
  })

  test('refused if nothing can be made there', async () => {
    await expect(start({ path: path.join(folder, 'none', 'node.ipc') })).rejects.toThrow(/^ENOENT/u)
    await expect(start({ path: path.join(folder, 'x'.repeat(100)) })).rejects.toThrow(
      /a socket's path has at most 103 bytes/u,
    )
    expect(await readdir(folder)).toEqual([])
  })

  test('left to whoever has it at the end', async () => {
    const first = await start()
    await rm(file)
    await start()
    await first.close()
    expect(await readdir(folder)).toEqual(['node.ipc'])
  })
})

describe('cut off is', () => {
  test('a message over 5 MiB', async () => {
    await start()
    const { socket } = await open()
    socket.write(`{"id":"${'x'.repeat(6_000_000)}`)
    await closing(socket)
    expect(endpoint.received).toEqual([])
  })

  test('a client that does not read', async () => {
    await start({ limits: { bufferedBytes: 100_000 } })
    const { socket } = await open()
    socket.pause()
    const closed = closing(socket)
    for (let i = 0; i < 10; i++) socket.write(rpc('large'))
    await expect.poll(() => endpoint.received.length).toBe(10)
    socket.resume()
    expect(await closed).toBe('closed')
  })

  test('one of those whose messages arrive in pieces, when all of them are too many', async () => {
    await start({ limits: { receivedBytes: 1_000_000 } })
    const [first, second] = [await open(), await open()]
    first.socket.write(`{"${'x'.repeat(600_000)}`)
    second.socket.write(`{"${'x'.repeat(600_000)}`)
    await Promise.race([closing(first.socket), closing(second.socket)])
    const { socket, lines } = await open()
    socket.write(rpc('eth_chainId'))
    await expect.poll(lines).toEqual([answer('0x7a69')])
  })

  test('one more than there may be', async () => {
    await start({ limits: { webSockets: 1 } })
    await open()
    const socket = connect(file).on('error', () => {})
    clients.push(socket)
    expect(await closing(socket)).toBe('closed')
  })

  test('one whose answer fails because of a bug, and nobody else', async () => {
    await start()
    const { socket } = await open()
    socket.write(rpc('broken'))
    await closing(socket)
    expect(logged).toEqual(['an IPC message could not be answered'])
    const other = await open()
    other.socket.write(rpc('eth_chainId'))
    await expect.poll(other.lines).toEqual([answer('0x7a69')])
  })
})
