import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import { createNode, type Node } from '#node/node.ts'
import type { Hex } from '#primitives/hex.ts'
import type { JsonRpcResponse as Answer, JsonRpcNotification } from '#rpc-types/envelope.ts'
import { serveDoor, startServer } from '#server/http/start-server.ts'
import { GuestTime } from '#server/room/guest-time.ts'
import { TIME_RATES } from '#server/room/limits.ts'
import { Room } from '#server/room/room.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'

/** Whose port a test calls. */
export type RoomCaller = 'speaker' | 'guest'

/** A room with its server and node, on a clock that only the test advances. */
export interface TestRoom {
  readonly clock: FakeClock
  readonly node: Node
  readonly room: Room
  readonly ports: Readonly<Record<RoomCaller, number>>
  readonly logged: readonly string[]
  /** The result of a call over HTTP, or the error's object. */
  rpc(as: RoomCaller, method: string, ...params: readonly unknown[]): Promise<unknown>
  /** Status and body of the answer to a request over HTTP. */
  post(as: RoomCaller, body: string, sent?: SentBy): Promise<{ status: number | undefined; text: string }>
  /** Opens a WebSocket, a guest's by default. */
  connect(as?: RoomCaller, headers?: SentBy['headers']): Promise<TestGuest>
  close(): Promise<void>
}

/** What a request says besides its body. */
export interface SentBy {
  readonly headers?: Readonly<Record<string, string>>
  /** Target of the request, where that is not `/`. */
  readonly path?: string
}

/** One WebSocket. */
export interface TestGuest {
  readonly socket: WebSocket
  /** Results of notifications, as they came. */
  readonly pushed: unknown[]
  /** The result of a call, or the error's object. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>
}

/** @param url - Where guests reach it. */
export async function openTestRoom(url = () => 'http://192.168.1.5/'): Promise<TestRoom> {
  const clock = new FakeClock()
  const logged: string[] = []
  const log = (_level: string, message: string) => logged.push(message)
  const time = new GuestTime(clock, TIME_RATES.room)
  const node = await createNode({ mode: 'manual' }, { clock, log, timeLimits: time })
  const room = await Room.open(node, { clock, log, url, time })
  const at = { host: '127.0.0.1', port: 0, log }
  const servers = {
    guest: await serveDoor(room, at),
    speaker: await startServer(room.speaker, { ...at, onlyDirect: true }),
  }
  const ports = { guest: servers.guest.port, speaker: servers.speaker.port }
  node.start()
  const clients: WebSocket[] = []
  const post: TestRoom['post'] = async (as, body, { headers, path = '/' } = {}) => {
    const sent = request({
      port: ports[as],
      host: '127.0.0.1',
      method: 'POST',
      path,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of response) text += (chunk as Buffer).toString()
    return { status: response.statusCode, text }
  }
  return {
    clock,
    node,
    room,
    ports,
    logged,
    post,
    async rpc(as, method, ...params) {
      const { text } = await post(as, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
      return outcome(JSON.parse(text) as Answer)
    },
    async connect(as = 'guest', headers = {}) {
      const socket = new WebSocket(`ws://127.0.0.1:${ports[as]}`, { headers })
      clients.push(socket)
      const waiting = new Map<number, (outcome: unknown) => void>()
      const pushed: unknown[] = []
      socket.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString()) as Answer | JsonRpcNotification
        if ('params' in message) pushed.push(message.params.result)
        else waiting.get(Number(message.id))?.(outcome(message))
      })
      await once(socket, 'open')
      let ids = 0
      return {
        socket,
        pushed,
        call: (method, ...params) =>
          new Promise((resolve) => {
            const id = ++ids
            waiting.set(id, resolve)
            socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
          }),
      }
    },
    async close() {
      for (const client of clients) client.terminate()
      for (const server of Object.values(servers)) await server.close()
      room.close()
      await node.close()
    },
  }
}

function outcome(answer: Answer): unknown {
  return 'error' in answer ? answer.error : answer.result
}

/** An account of a guest; the same number gives the same account. */
export function guestAccount(number: number) {
  return privateKeyToAccount(`0x${(1_000_000 + number).toString(16).padStart(64, '0')}`)
}

/** A signed transfer to nobody in particular. */
export function signGuestTransfer(number: number, nonce: number, gas = 21_000n): Promise<Hex> {
  return guestAccount(number).signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce,
    to: `0x${'22'.repeat(20)}`,
    value: 1n,
    gas,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000n,
  })
}
