import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Connections } from './connections.ts'

/** As far as a server counts sockets; `destroy` closes in a later turn, as Node.js does. */
class FakeSocket extends EventEmitter {
  destroyed = false
  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    process.nextTick(() => this.emit('close'))
  }
}

function setUp(most: number, admit: (socket: Socket, leaving: number) => boolean = () => true) {
  let idleClosed = 0
  const connections = new Connections(most, { admit, closeIdle: () => idleClosed++ })
  const come = () => {
    const socket = new FakeSocket()
    connections.add(socket as unknown as Socket)
    return socket
  }
  const ask = (socket: FakeSocket) => connections.hasAsked(socket as unknown as Socket)
  return { connections, come, ask, idleClosed: () => idleClosed }
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('of too many connections the one that has been silent for longest goes, not the newcomer', async () => {
  const { come, ask } = setUp(3)
  const [talks, first, second] = [come(), come(), come()]
  ask(talks)
  const newcomer = come()
  await nextTurn()
  expect([talks, first, second, newcomer].map(({ destroyed }) => destroyed)).toEqual([false, true, false, false])
})

test('where all have asked for something the newcomer goes, and idle ones make room for the next', async () => {
  const { come, ask, idleClosed } = setUp(2)
  const both = [come(), come()]
  for (const socket of both) ask(socket)
  expect(come().destroyed).toBe(true)
  expect(idleClosed()).toBe(1)
  both[0]?.destroy()
  await nextTurn()
  expect(come().destroyed).toBe(false)
})

test('however many come at once, no more are open than there may be', async () => {
  const open = new Set<Socket>()
  const { come } = setUp(10, (socket, leaving) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    return open.size - leaving <= 10
  })
  const all: FakeSocket[] = []
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < round; i++) all.push(come())
    await nextTurn()
    expect(all.filter(({ destroyed }) => !destroyed).length).toBe(Math.min(10, all.length))
  }
})

test('who is not admitted drives nobody away', async () => {
  let admits = true
  const { come } = setUp(2, () => admits)
  const both = [come(), come()]
  admits = false
  const refused = come()
  await nextTurn()
  expect([...both, refused].map(({ destroyed }) => destroyed)).toEqual([false, false, true])
})

test('who is not admitted, or comes twice, takes no place', async () => {
  const refused = setUp(1, () => false)
  expect(refused.come().destroyed).toBe(true)
  const { connections, come, ask } = setUp(2)
  const socket = come()
  connections.add(socket as unknown as Socket)
  ask(socket)
  ask(come())
  expect(come().destroyed).toBe(true)
  connections.destroyAll()
  await nextTurn()
  expect(come().destroyed).toBe(false)
})
