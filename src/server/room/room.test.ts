import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { METHOD_NAMES } from '#node/rpc/method-table.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { RoomBeat, RoomPlace } from '#rpc-types/methods/room.ts'
import { guestAccount, openTestRoom, signGuestTransfer, type TestRoom } from '#testing/server/test-room.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { costOf } from './guest-methods.ts'
import { ADDRESS_RATES, CONNECTION_RATES, CONNECTIONS_PER_ADDRESS, GIFT, ROOM_LIMITS } from './limits.ts'
import { Room } from './room.ts'

let room: TestRoom
beforeEach(async () => {
  room = await openTestRoom()
})
afterEach(async () => {
  await room.close()
  expect(room.logged).toEqual([])
})

const FOR_SPEAKER = {
  code: -32601,
  message: expect.stringMatching(
    /^guests of this room may not call ".*": they may read the chain and send signed transactions, the speaker may/,
  ) as string,
}
/** Beat of a new chain's first ticks, without what they bring. */
const BEAT = { block: 1, sealed: false, atMs: 1_700_000_000_000, rewinds: 0 }
const join = (number: number, name = `Guest ${number}`) => ({ name, address: guestAccount(number).address })
/** As far as the room knows sockets. */
class FakeSocket extends EventEmitter {
  destroyed = false
  readonly remoteAddress: string | undefined
  constructor(remoteAddress: string | undefined) {
    super()
    this.remoteAddress = remoteAddress
  }
  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}
const sockets = (remoteAddress: string | undefined, count: number) =>
  Array.from({ length: count }, () => new FakeSocket(remoteAddress) as unknown as Socket)

test('the speaker may do everything, and both learn who they are', async () => {
  expect(await room.rpc('speaker', 'room_info')).toEqual({
    role: 'speaker',
    url: 'http://192.168.1.5/',
    guests: 0,
    limits: { transactionsPerSecond: CONNECTION_RATES.transaction.perSecond },
  })
  expect(await room.rpc('guest', 'room_info')).toMatchObject({ role: 'guest' })
  expect(await room.rpc('speaker', 'eth_accounts')).toHaveLength(10)
  expect(await room.rpc('speaker', 'devnet_tick')).not.toHaveProperty('code')
  const speaker = await room.connect('speaker')
  expect(await speaker.call('room_info')).toMatchObject({ role: 'speaker' })
})

test('a guest may call what is on the list, and no other method that the node has', async () => {
  const forSpeaker = METHOD_NAMES.filter((name) => costOf(name) === undefined)
  expect(forSpeaker).toEqual(expect.arrayContaining(['eth_accounts', 'eth_sign', 'eth_sendTransaction', 'evm_mine']))
  for (const family of ['anvil', 'debug', 'evm', 'hardhat', 'personal', 'trace', 'wallet']) {
    expect(METHOD_NAMES.filter((name) => name.startsWith(`${family}_`) && costOf(name) !== undefined)).toEqual([])
  }
  for (const [i, method] of forSpeaker.entries()) {
    if (i % 40 === 0) room.clock.jump(60_000)
    expect(await room.rpc('guest', method), method).toMatchObject(FOR_SPEAKER)
  }
  for (const method of ['__proto__', 'constructor', 'toString', 'ETH_ACCOUNTS', ' eth_accounts', 'room_close']) {
    expect(await room.rpc('guest', method)).toMatchObject(FOR_SPEAKER)
  }
})

test('a guest joins, gets money once, sends, and is seen', async () => {
  const guest = await room.connect()
  const { address } = guestAccount(1)
  expect(await guest.call('room_join', join(1, ' Ada\u202e '))).toEqual({
    number: 1,
    mark: 0,
    balance: `0x${GIFT.toString(16)}`,
    secret: expect.stringMatching(/^0x[0-9a-f]{32}$/) as string,
  })
  expect(await room.rpc('guest', 'eth_getBalance', address, 'pending')).toBe(`0x${GIFT.toString(16)}`)
  await guest.call('eth_subscribe', 'room')
  await guest.call('eth_subscribe', 'newHeads')
  const hash = await guest.call('eth_sendRawTransaction', await signGuestTransfer(1, 0))
  await room.rpc('speaker', 'devnet_tick')
  await expect.poll(() => guest.pushed).toEqual([{ ...BEAT, index: expect.any(Number) as number, guests: [1] }])
  expect(await guest.call('room_report', { hash, preconfirmedMs: 143 })).toEqual({ preconfirmedAtMs: BEAT.atMs })
  expect(await guest.call('room_report', { hash, preconfirmedMs: 1 })).toMatchObject({ code: -32602 })
  const own = {
    number: 1,
    mark: 0,
    name: 'Ada',
    address: address.toLowerCase(),
    connected: true,
    sent: 1,
    latencyMs: 143,
  }
  const all = { guests: [own], connected: 1, watching: 0, transactionsPerSecond: 0.2, latencyMs: 143 }
  expect(await guest.call('room_guests')).toEqual(all)
  expect(await room.rpc('speaker', 'room_guests')).toEqual(all)

  await room.rpc('speaker', 'devnet_tick', 10)
  await expect.poll(() => guest.pushed).toContainEqual(expect.objectContaining({ number: '0x1' }))
  expect(guest.pushed).toContainEqual(expect.objectContaining({ block: 1, sealed: true }))
  const again = (await guest.call('room_join', join(1, 'Ada L.'))) as RoomPlace
  expect(again.number).toBe(1)
  expect(BigInt(again.balance)).toBeLessThan(GIFT)
})

test('the room tells what is new, and when the chain has gone back', async () => {
  const guest = await room.connect()
  await guest.call('room_join', join(1, 'Ada'))
  await guest.call('eth_subscribe', 'room')
  const beats = () => guest.pushed as readonly RoomBeat[]
  await guest.call('eth_sendRawTransaction', await signGuestTransfer(1, 0))
  await room.rpc('speaker', 'devnet_tick', 10)
  // What brings nothing new is not told.
  await expect.poll(() => beats().length).toBe(2)
  expect(beats()).toMatchObject([
    { block: 1, sealed: false, guests: [1] },
    { block: 1, index: 9, sealed: true, guests: [], atMs: BEAT.atMs },
  ])
  // Test money for another one changes the live block, and takes nothing back.
  await guest.call('room_join', join(2, 'Grace'))
  await guest.call('eth_sendRawTransaction', await signGuestTransfer(2, 0))
  await room.rpc('speaker', 'devnet_tick')
  await expect.poll(() => beats().at(-1)).toMatchObject({ block: 2, guests: [2], rewinds: 0 })

  await room.rpc('speaker', 'devnet_dropPartialBlocks', 1)
  await expect.poll(() => beats().at(-1)).toMatchObject({ block: 2, rewinds: 1, guests: [] })
  await room.rpc('speaker', 'devnet_reorg', 1)
  await expect.poll(() => beats().at(-1)?.rewinds).toBeGreaterThan(1)
})

test('a guest who leaves and comes back has the same place', async () => {
  const first = await room.connect()
  const { secret } = (await first.call('room_join', join(1, 'Ada'))) as RoomPlace
  await (await room.connect()).call('room_join', join(2, 'Grace'))
  first.socket.close()
  const gone = { connected: 1, watching: 0, guests: [{ name: 'Grace' }, { name: 'Ada', connected: false }] }
  await expect.poll(() => room.rpc('speaker', 'room_guests')).toMatchObject(gone)
  const second = await room.connect()
  expect(await second.call('room_join', { ...join(1, 'Ada'), secret })).toMatchObject({ number: 1 })
  expect(await room.rpc('speaker', 'room_guests')).toMatchObject({ connected: 2, guests: [{}, { connected: true }] })
})

test('nobody takes an account of the node, renames one who is here, or joins as the speaker', async () => {
  const guest = await room.connect()
  const dev = { name: 'Mallory', address: DEV_KEYS[0]?.address }
  expect(await guest.call('room_join', dev)).toMatchObject({ code: 4100 })
  await guest.call('room_join', join(1, 'Ada'))
  const other = await room.connect()
  expect(await other.call('room_join', join(1, 'Mallory'))).toMatchObject({ code: 4100 })
  expect(await other.call('room_guests')).toMatchObject({ guests: [{ name: 'Ada' }] })
  expect(await room.rpc('speaker', 'room_join', join(3))).toMatchObject({ code: -32000 })
  for (const wrong of [{}, { name: '', address: guestAccount(4).address }, { name: 'Ada', address: '0x12' }, null, 7]) {
    expect(await guest.call('room_join', wrong)).toMatchObject({ code: -32602 })
  }
})

test('the speaker ends a subscription to the room, and a connection that closes at once leaves none behind', async () => {
  const speaker = await room.connect('speaker')
  const id = await speaker.call('eth_subscribe', 'room')
  await room.rpc('speaker', 'devnet_tick', 10)
  await expect.poll(() => speaker.pushed).toHaveLength(1)
  expect(await speaker.call('eth_unsubscribe', id)).toBe(true)
  expect(await speaker.call('eth_unsubscribe', id)).toBe(false)

  const pushed: string[] = []
  const connection = room.room.speaker.connect((body) => pushed.push(body))
  const subscribed = connection.handle('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["room"]}')
  connection.close()
  expect(await subscribed).toContain('"result"')
  const witness = await room.connect()
  await witness.call('eth_subscribe', 'room')
  await room.rpc('speaker', 'devnet_tick', 10)
  await expect.poll(() => witness.pushed).toHaveLength(1)
  expect(speaker.pushed).toHaveLength(1)
  expect(pushed).toEqual([])
})

test('guests who ask at the same time get the same list, and soon a newer one; the speaker always gets the newest', async () => {
  const guest = await room.connect()
  expect(await guest.call('room_guests')).toMatchObject({ guests: [] })
  await guest.call('room_join', join(1, 'Ada'))
  expect(await (await room.connect()).call('room_guests')).toMatchObject({ guests: [] })
  expect(await room.rpc('speaker', 'room_guests')).toMatchObject({ guests: [{ name: 'Ada' }] })
  room.clock.jump(500)
  expect(await guest.call('room_guests')).toMatchObject({ guests: [{ name: 'Ada' }] })
})

test('the address for guests is looked up once a second, however many ask', async () => {
  let looked = 0
  const other = await openTestRoom(() => `http://192.168.1.${++looked}/`)
  const guest = await other.connect()
  for (let i = 0; i < 10; i++) expect(await guest.call('room_info')).toMatchObject({ url: 'http://192.168.1.1/' })
  other.clock.jump(1_000)
  expect(await guest.call('room_info')).toMatchObject({ url: 'http://192.168.1.2/' })
  await other.close()
})

test('a room that cannot follow its chain does not open', async () => {
  const node = new FakeEndpoint({
    eth_accounts: () => [],
    eth_subscribe: () => ({ error: { code: -32005, message: 'too many subscriptions' } }),
  })
  const options = { clock: room.clock, log() {}, url: () => '', time: room.room.time }
  await expect(Room.open(node, options)).rejects.toThrow('too many subscriptions')
})

test('a guest is told why the node gives no money, and the log is spared', async () => {
  const node = new FakeEndpoint({
    eth_accounts: () => [],
    eth_subscribe: () => '0x1',
    eth_getBalance: () => '0x0',
    eth_getTransactionCount: () => '0x0',
    eth_getCode: () => '0x',
    devnet_faucet: () => ({ error: { code: -32000, message: 'this chain is a film' } }),
  })
  const logged: string[] = []
  const log = (_level: string, message: string) => logged.push(message)
  const film = await Room.open(node, { clock: room.clock, log, url: () => '', time: room.room.time })
  const [socket] = sockets('127.0.0.1', 1) as [Socket]
  film.admit(socket)
  const { handle } = film.connect(socket, () => {}, 'sealed')
  const answer = await handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'room_join', params: [join(1)] }))
  expect(answer).toContain('"you get no test money: this chain is a film"')
  expect(logged).toEqual([])
  film.close()
})

test('an id that JavaScript cannot represent comes back as it was written, from the room as from the node', async () => {
  const call = (method: string) => `{"jsonrpc":"2.0","id":12345678901234567890,"method":"${method}"}`
  for (const as of ['guest', 'speaker'] as const) {
    const { text } = await room.post(as, `[${call('room_info')},${call('eth_chainId')}]`)
    expect(text.match(/"id":12345678901234567890,"result"/g)).toHaveLength(2)
  }
})

test('without --room these methods do not exist', async () => {
  const connection = room.node.connect()
  const answer = await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'room_info' }))
  expect(answer).toContain('-32601')
  connection.close()
})

const admitted = (some: readonly Socket[]) => some.filter((socket) => room.room.admit(socket)).length
const taken = (some: readonly Socket[]) => some.filter((socket) => room.room.takeRequest(socket)).length

test('the connections of one address are limited, whatever it does with them; those of loopback, where tunnels end, count only against the room’s limit', () => {
  const first = sockets('192.168.1.7', CONNECTIONS_PER_ADDRESS + 5)
  expect(admitted(first)).toBe(CONNECTIONS_PER_ADDRESS)
  expect(admitted(sockets('::ffff:192.168.1.7', 1))).toBe(0)
  expect(admitted(sockets('192.168.1.8', 1))).toBe(1)
  first[0]?.emit('close')
  expect(admitted(sockets('192.168.1.7', 2))).toBe(1)
  expect(admitted(sockets('127.0.0.1', 1_000))).toBe(1_000)
  // A network of many addresses does not take all connections either.
  const many = Array.from({ length: 100 }, (_, i) => sockets(`10.0.0.${i}`, CONNECTIONS_PER_ADDRESS)).flat()
  expect(admitted(many)).toBe(ROOM_LIMITS.connections - CONNECTIONS_PER_ADDRESS - 1 - 1_000)
})

test('an address that keeps opening connections is slowed down, and no other is', () => {
  const openAndClose = (address: string) => {
    const [socket] = sockets(address, 1) as [Socket]
    const isAdmitted = room.room.admit(socket)
    if (isAdmitted) socket.emit('close')
    return isAdmitted
  }
  let opened = 0
  while (opened < 1_000 && openAndClose('192.168.1.7')) opened++
  expect(opened).toBe(ADDRESS_RATES.open.burst)
  expect(openAndClose('192.168.1.8')).toBe(true)
  room.clock.jump(1_000 / ADDRESS_RATES.open.perSecond)
  expect([openAndClose('192.168.1.7'), openAndClose('192.168.1.7')]).toEqual([true, false])
})

test('the HTTP requests of one address are limited, whatever they ask for', () => {
  const [first, second] = sockets('192.168.1.7', 2) as [Socket, Socket]
  const [elsewhere] = sockets('192.168.1.8', 1) as [Socket]
  expect(admitted([first, second, elsewhere])).toBe(3)
  const { burst, perSecond } = ADDRESS_RATES.request
  expect(taken(Array.from({ length: burst + 1 }, () => first))).toBe(burst)
  expect([taken([second]), taken([elsewhere])]).toEqual([0, 1])
  room.clock.jump(1_000 / perSecond)
  expect(taken([second, first])).toBe(1)
})

test('when guests have taken all connections, the speaker still gets in', async () => {
  const tunnel = sockets('127.0.0.1', ROOM_LIMITS.connections + 1)
  expect(admitted(tunnel)).toBe(ROOM_LIMITS.connections)
  await expect(room.rpc('guest', 'eth_chainId')).rejects.toThrow('socket hang up')
  expect(await room.rpc('speaker', 'room_info')).toMatchObject({ role: 'speaker' })
  tunnel[0]?.emit('close')
  expect(await room.rpc('guest', 'eth_chainId')).toBe('0x7a69')
})

test('a request on a connection that was not admitted is refused', () => {
  expect(taken(sockets('127.0.0.1', 1))).toBe(0)
})

test.each([
  ['who share an address share what it may do, also those who leave and come again', '192.168.1.7', 0],
  ['who come through a tunnel do not, not even with those who were gone at once', '127.0.0.1', 1],
])('guests %s', async (_what, remoteAddress, more) => {
  const most = ADDRESS_RATES.join.burst + more
  // A connection that is gone already has no address.
  expect(admitted(sockets(undefined, 1))).toBe(1)
  const { address } = guestAccount(1)
  let answered = 0
  for (let i = 0; answered === i && i <= ADDRESS_RATES.join.burst; i++) {
    const [socket] = sockets(remoteAddress, 1) as [Socket]
    room.room.admit(socket)
    const { handle } = room.room.connect(socket, () => {}, 'sealed')
    const params = [{ name: 'Ada', address }]
    const text = await handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'room_join', params }))
    if (!text?.includes('-32005')) answered++
    socket.emit('close')
  }
  expect(answered).toBe(most)
})
