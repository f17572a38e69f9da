import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { lateWebSockets } from './late-web-sockets.ts'
import type { WebSocketHandler } from './ws-handler.ts'

const REQUEST = {} as IncomingMessage
const HEAD = Buffer.alloc(0)

let upgraded: unknown[]
let errors: string[]
let loads: { resolve(handler: WebSocketHandler): void; reject(error: Error): void }[]
let webSockets: WebSocketHandler
let isClosed: boolean

beforeEach(() => {
  upgraded = []
  errors = []
  loads = []
  isClosed = false
  webSockets = lateWebSockets(
    () => new Promise((resolve, reject) => loads.push({ resolve, reject })),
    (message) => errors.push(message),
  )
})

const handler: WebSocketHandler = {
  upgrade: (_request, socket) => upgraded.push(socket),
  close() {
    isClosed = true
  },
}

function connect(): PassThrough {
  const socket = new PassThrough()
  webSockets.upgrade(REQUEST, socket, HEAD)
  return socket
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the handler is loaded with the first connection, once, and gets those that wait in their order', async () => {
  expect(loads).toHaveLength(0)
  const early = [connect(), connect()]
  expect(loads).toHaveLength(1)
  loads[0]?.resolve(handler)
  await settled()
  expect(upgraded).toEqual(early)
  const late = connect()
  expect(upgraded).toEqual([...early, late])
  expect(loads).toHaveLength(1)
})

test('a client that breaks off meanwhile ends nothing else, and is not worth a line', async () => {
  const broken = connect()
  broken.destroy(new Error('ECONNRESET'))
  const other = connect()
  await settled()
  expect(errors).toEqual([])
  loads[0]?.resolve(handler)
  await settled()
  expect(upgraded).toEqual([other])
  expect(other.listenerCount('error')).toBe(0)
})

test('if it cannot be loaded its clients are cut off, and the next one tries again', async () => {
  const unlucky = connect()
  loads[0]?.reject(new Error('no file'))
  await settled()
  expect(unlucky.destroyed).toBe(true)
  expect(errors).toEqual(['WebSockets could not be loaded'])
  const next = connect()
  loads[1]?.resolve(handler)
  await settled()
  expect(upgraded).toEqual([next])
})

test('closing before it is loaded cuts off those that wait, and afterwards closes it', async () => {
  const waiting = connect()
  webSockets.close()
  loads[0]?.resolve(handler)
  await settled()
  expect(waiting.destroyed).toBe(true)
  expect(upgraded).toEqual([])
  webSockets.close()
  expect(isClosed).toBe(true)
})
