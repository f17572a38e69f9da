import { expect, test } from 'vitest'
import type { JsonRpcNotification } from '#rpc-types/envelope.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { FakeChannels, type FakeParticipant } from '#testing/transport/fake-channels.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { PROTOCOL } from '#transport/port/messages.ts'
import { MAX_UNREAD_CHARACTERS } from '#transport/port/serve-port.ts'
import { type Leadership, ownChannelName } from './channel-messages.ts'
import { type ChannelEndpoint, connectChannel, NoNodeError, PATIENCE_MS } from './connect-channel.ts'
import { type ServedChannel, serveChannel } from './serve-channel.ts'

const CHAIN = 'blinknet:/:main'
const call = (method: string, params: readonly unknown[] = []) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const settle = () => new Promise((resolve) => void setImmediate(resolve))

function setUp() {
  const clock = new FakeClock()
  const channels = new FakeChannels()
  let leaders = 0
  function lead(node: FakeEndpoint, by: FakeParticipant = channels.participant()) {
    const leadership: Leadership = { leader: `leader-${++leaders}`, epoch: leaders }
    const superseded: string[] = []
    const gone = new Map<string, () => void>()
    const served: ServedChannel = serveChannel({
      open: by.open,
      chainName: CHAIN,
      leadership,
      clock: { schedule: (callback, ms) => clock.schedule(() => (by.frozen || by.dead ? undefined : callback()), ms) },
      watchLock: (name, onGone) => gone.set(name, onGone),
      onSuperseded: () => superseded.push(leadership.leader),
    })
    return { by, leadership, served, superseded, gone, run: () => served.serve(node, { kind: 'journal' }) }
  }
  function connect(caller: string): ChannelEndpoint {
    return connectChannel({ open: channels.participant().open, chainName: CHAIN, caller, clock })
  }
  return { clock, channels, lead, connect }
}

test('a caller finds the leader, whichever of them started first', async () => {
  const { lead, connect } = setUp()
  const early = connect('early')
  const leader = lead(new FakeEndpoint({ eth_chainId: () => '0x1' }))
  const answer = early.connect().handle(call('eth_chainId'))
  await settle()
  leader.run()
  expect(await answer).toContain('"0x1"')
  const late = connect('late')
  await late.ready()
  expect(await late.connect().handle(call('eth_chainId'))).toContain('"0x1"')
})

test('bodies pass unchanged, and nobody else receives them', async () => {
  const { channels, lead, connect } = setUp()
  const node = new FakeEndpoint({ secret: () => 'for you alone' })
  const { run, leadership } = lead(node)
  run()
  const caller = connect('caller')
  const body = '{ "id": 5,"jsonrpc":"2.0",  "method":"secret" }'
  expect(await caller.connect().handle(body)).toBe('{"jsonrpc":"2.0","id":5,"result":"for you alone"}')
  expect(node.received).toEqual([body])
  const speaking = channels.posted.filter(({ message }) => JSON.stringify(message).includes('secret'))
  expect(speaking.map(({ name }) => name)).toEqual([ownChannelName(CHAIN, leadership.leader)])
  const answering = channels.posted.filter(({ message }) => JSON.stringify(message).includes('for you'))
  expect(answering.map(({ name }) => name)).toEqual([ownChannelName(CHAIN, 'caller')])
})

test('a connection keeps its meaning of latest at each leader', async () => {
  const { lead, connect } = setUp()
  const nodes = [1, 2].map(() => new FakeEndpoint({ eth_chainId: () => '0x1', eth_subscribe: () => '0x1' }))
  const first = lead(nodes[0] as FakeEndpoint)
  first.run()
  const caller = connect('caller')
  const readings = [{ latest: 'preconfirmed' }, { latest: 'sealed' }, {}] as const
  const connections = readings.map((options) => caller.connect(() => true, options))
  for (const connection of connections) await connection.handle(call('eth_chainId'))
  expect(nodes[0]?.connected).toEqual(readings)
  first.served.stop()
  await settle()
  lead(nodes[1] as FakeEndpoint).run()
  for (const connection of connections) await connection.handle(call('eth_chainId'))
  expect(nodes[1]?.connected).toEqual(readings)
})

test('without a leader calls fail with an error, and succeed once there is one', async () => {
  const { clock, lead, connect } = setUp()
  const caller = connect('caller')
  const refused = caller.ready().catch((error: unknown) => error)
  const pending = caller.connect().handle(call('eth_chainId'))
  await clock.advance(PATIENCE_MS)
  expect(await refused).toBeInstanceOf(NoNodeError)
  expect(await pending).toContain('4900')
  lead(new FakeEndpoint({ eth_chainId: () => '0x1' })).run()
  await settle()
  await caller.ready()
  expect(await caller.connect().handle(call('eth_chainId'))).toContain('"0x1"')
})

test('a lost hello is repeated', async () => {
  const { clock, channels, lead, connect } = setUp()
  const leader = channels.participant()
  const { run } = lead(new FakeEndpoint({ eth_chainId: () => '0x1' }), leader)
  run()
  const caller = connect('caller')
  // A worker receives nothing before its channels are open.
  leader.receive = () => {}
  await settle()
  Reflect.deleteProperty(leader, 'receive')
  const answer = caller.connect().handle(call('eth_chainId'))
  await clock.advance(1_000)
  expect(await answer).toContain('"0x1"')
})

test('subscriptions continue at the next leader, with the same limit for a slow reader', async () => {
  const { lead, connect } = setUp()
  const nodes = [1, 2].map(() => new FakeEndpoint({ eth_subscribe: () => '0x1', eth_unsubscribe: () => true }))
  const first = lead(nodes[0] as FakeEndpoint)
  first.run()
  const caller = connect('caller')
  const seen: unknown[] = []
  const connection = caller.connect((body) => seen.push((JSON.parse(body) as JsonRpcNotification).params.result))
  await connection.handle(call('eth_subscribe', ['newHeads']))
  nodes[0]?.notify('0x1', 'one')
  await settle()
  first.served.stop()
  await settle()
  expect(nodes[0]?.subscribers).toBe(0)
  lead(nodes[1] as FakeEndpoint).run()
  await settle()
  nodes[1]?.notify('0x1', 'two')
  await settle()
  expect(seen).toEqual(['one', 'two'])
  const text = 'x'.repeat(MAX_UNREAD_CHARACTERS / 2)
  expect([1, 2, 3].map(() => nodes[1]?.notify('0x1', text))).toEqual([true, false, false])
  await settle()
  // Messages that were read no longer count.
  expect(nodes[1]?.notify('0x1', text)).toBe(true)
})

test('connections of one caller are independent: each has its own subscriptions, and ends alone', async () => {
  const { lead, connect } = setUp()
  const node = new FakeEndpoint({ eth_subscribe: () => '0x1' })
  lead(node).run()
  const caller = connect('caller')
  const connections = [caller.connect(() => true), caller.connect(() => true)]
  await Promise.all(connections.map((connection) => connection.handle(call('eth_subscribe', ['newHeads']))))
  expect(node.subscribers).toBe(2)
  connections[0]?.close()
  await settle()
  expect(node.subscribers).toBe(1)
  caller.close()
  await settle()
  expect(node.subscribers).toBe(0)
})

test('a silent leader counts as gone, and is followed again when it announces itself', async () => {
  const { clock, channels, lead, connect } = setUp()
  const leader = channels.participant()
  lead(new FakeEndpoint({ eth_chainId: () => '0x1' }), leader).run()
  const caller = connect('caller')
  await caller.ready()
  leader.frozen = true
  const read = caller.connect().handle(call('eth_chainId'))
  for (let second = 0; second < 7; second++) {
    await clock.advance(1_000)
    await settle()
  }
  expect(await read).toContain('4900')
  leader.thaw()
  await settle()
  await clock.advance(1_000)
  await settle()
  expect(await caller.connect().handle(call('eth_chainId'))).toContain('"0x1"')
})

test('a leader with another protocol version is named, and calls fail until another one leads', async () => {
  const { channels, lead, connect } = setUp()
  const caller = connect('caller')
  const waiting = caller.connect().handle(call('eth_chainId'))
  const stranger = channels.participant().open(CHAIN)
  stranger.postMessage({
    kind: 'leading',
    leader: 'stranger',
    epoch: 0,
    protocol: PROTOCOL + 1,
    version: '9.9.9',
    storage: { kind: 'journal' },
  })
  expect(await waiting).toContain('another tab runs a different version of Blinknet (9.9.9): reload')
  lead(new FakeEndpoint({ eth_chainId: () => '0x1' })).run()
  await settle()
  expect(await caller.connect().handle(call('eth_chainId'))).toContain('"0x1"')
})

test('a leader that hears of a later one gives up; callers follow the later one', async () => {
  const { lead, connect } = setUp()
  const [old, next] = [lead(new FakeEndpoint({ who: () => 'old' })), lead(new FakeEndpoint({ who: () => 'next' }))]
  next.run()
  const caller = connect('caller')
  await caller.ready()
  old.run()
  await settle()
  expect(await caller.connect().handle(call('who'))).toContain('next')
  expect(old.superseded).not.toEqual([])
  expect(next.superseded).toEqual([])
})

test('messages of a foreign script on the channels do no harm', async () => {
  const { channels, lead, connect } = setUp()
  const node = new FakeEndpoint({ eth_chainId: () => '0x1' })
  const { run, leadership, superseded } = lead(node)
  run()
  const caller = connect('caller')
  await caller.ready()
  const stranger = channels.participant()
  const names = [CHAIN, ownChannelName(CHAIN, leadership.leader), ownChannelName(CHAIN, 'caller')]
  const garbage: unknown[] = [
    null,
    'who',
    7,
    [],
    {},
    { kind: 'leading' },
    { kind: 'starting', leader: 'x', epoch: 'y' },
  ]
  const { leader } = leadership
  for (const message of [undefined, null, 7, {}, { kind: 'rpc' }, { kind: 'rpc', id: 1, body: 7 }, { kind: 'read' }]) {
    garbage.push({ kind: 'call', caller: 'caller', connection: 1, pushed: true, message })
    garbage.push({ kind: 'answer', leader, connection: 1, message })
  }
  const asked = { kind: 'rpc', id: 1, body: call('eth_chainId') }
  for (const latest of [null, 'pending', 1, { latest: 'sealed' }]) {
    garbage.push({ kind: 'call', caller: 'caller', connection: 1, pushed: true, latest, message: asked })
  }
  garbage.push({ kind: 'leading', leader: 'x', epoch: 9, protocol: PROTOCOL, version: '1', storage: null })
  for (const name of names) for (const message of garbage) stranger.open(name).postMessage(message)
  await settle()
  expect(superseded).toEqual([])
  expect(node.received).toEqual([])
  expect(await caller.connect().handle(call('eth_chainId'))).toContain('"0x1"')
})

test('when the lock of a caller is free, its subscriptions end', async () => {
  const { channels, lead } = setUp()
  const node = new FakeEndpoint({ eth_subscribe: () => '0x1' })
  const { run, gone, leadership } = lead(node)
  run()
  const own = channels.participant().open(ownChannelName(CHAIN, leadership.leader))
  own.postMessage({ kind: 'hello', caller: 'tab', present: true })
  own.postMessage({
    kind: 'call',
    caller: 'tab',
    connection: 1,
    pushed: true,
    message: { kind: 'rpc', id: 1, body: call('eth_subscribe', ['newHeads']) },
  })
  await settle()
  expect(node.subscribers).toBe(1)
  gone.get(ownChannelName(CHAIN, 'tab'))?.()
  expect(node.subscribers).toBe(0)
  expect(channels.names).not.toContain(ownChannelName(CHAIN, 'tab'))
})
