import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { rpcAt, serverOfEachTest } from '#testing/server/test-server.ts'
import { networkAddresses } from './room/network-addresses.ts'

const server = serverOfEachTest()
const { start, rpc } = server

/** What becomes of a connection: `open`, or the code of the error. */
async function reach(host: string, port: number): Promise<string> {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return 'open'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? ''
  } finally {
    socket.destroy()
  }
}

/** Listens on a port whose lower neighbour is free. Neither is one that systems hand out by themselves. */
async function listenBesideFreePort(): Promise<{ readonly taken: number; readonly other: Server }> {
  for (let free = 20_000 + 2 * (process.pid % 5_000); ; free += 2) {
    const [lower, other] = await Promise.all([free, free + 1].map(listen))
    if (lower) await close(lower)
    if (lower && other) return { taken: free + 1, other }
    if (other) await close(other)
  }
}

/** `undefined` if the port is taken. */
async function listen(port: number): Promise<Server | undefined> {
  const listening = createServer().listen(port, '127.0.0.1')
  try {
    await once(listening, 'listening')
    return listening
  } catch {
    return undefined
  }
}

async function close(listening: Server): Promise<void> {
  listening.close()
  await once(listening, 'close')
}

test('with --room the port is for guests, and the speaker has one that only this machine reaches', async () => {
  await start('--room', '--clock', 'manual')
  expect(await rpcAt(`http://127.0.0.1:${server.port}`, 'room_info')).toMatchObject({ role: 'guest' })
  expect(await rpc('room_info')).toMatchObject({ role: 'speaker' })
  await rpc('evm_mine')
  await expect(rpcAt(`http://127.0.0.1:${server.port}`, 'evm_mine')).rejects.toThrow('guests of this room may not')
  // A network interface of this machine, and the loopback addresses besides its first.
  for (const address of [...networkAddresses(networkInterfaces()), '127.0.0.2']) {
    expect(await reach(address, server.ownerPort), address).not.toBe('open')
  }
  const proxied = await fetch(`http://127.0.0.1:${server.ownerPort}`, { headers: { 'X-Forwarded-For': '1.2.3.4' } })
  expect(proxied.status).toBe(403)
  expect(server.printed).toContain(`Listening on http://127.0.0.1:${server.ownerPort} and`)
  expect(server.printed).toContain(`:${server.ownerPort}/?latest=preconfirmed`)
  expect(server.printed).toContain(`For you:    http://127.0.0.1:${server.ownerPort}/?view=projector`)
  expect(server.printed).toMatch(new RegExp(`For guests: http://\\S+:${server.port}/\n`))
})

test('the speaker’s port is the next one, or a free one where that is taken', async () => {
  const { taken, other } = await listenBesideFreePort()
  await start('--room', '--host', '127.0.0.1', '--port', String(taken - 1))
  expect(server.ownerPort).not.toBe(taken)
  expect(await rpc('room_info')).toMatchObject({ role: 'speaker' })
  await server.stop()
  await close(other)
  await start('--room', '--host', '127.0.0.1', '--port', String(taken - 1))
  expect(server.ownerPort).toBe(taken)
})

test('without --room there is one port for all', async () => {
  await start('--clock', 'manual')
  expect(server.ownerPort).toBe(server.port)
  await expect(rpc('room_info')).rejects.toThrow('room_info')
})
