import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
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
  expect(server.printed).toContain(`Listening on http://127.0.0.1:${server.ownerPort} and`)
  expect(server.printed).toContain(`:${server.ownerPort}/?latest=preconfirmed`)
  expect(server.printed).toContain(`For you:    http://127.0.0.1:${server.ownerPort}/?view=projector`)
  expect(server.printed).toMatch(new RegExp(`For guests: http://\\S+:${server.port}/\n`))
})

test('the speaker’s port is the next one, or a free one where that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const taken = (other.address() as AddressInfo).port
  await start('--room', '--host', '127.0.0.1', '--port', String(taken - 1))
  expect(server.ownerPort).not.toBe(taken)
  expect(await rpc('room_info')).toMatchObject({ role: 'speaker' })
  await server.stop()
  other.close()
  await start('--room', '--host', '127.0.0.1', '--port', String(taken - 1))
  expect(server.ownerPort).toBe(taken)
})

test('without --room there is one port for all', async () => {
  await start('--clock', 'manual')
  expect(server.ownerPort).toBe(server.port)
  await expect(rpc('room_info')).rejects.toThrow('room_info')
})
