import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NO_CAPABILITIES } from '#client/session/capabilities.ts'
import type { ChainAddress } from '#client/session/remote-endpoint.ts'
import { RemoteDisconnectedError, type RemoteProblem } from '#client/session/remote-problem.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { DisconnectedError } from '#transport/port/connect-port.ts'
import type { RemoteLinkListener } from './remote-link.ts'
import { type AttachOptions, attachRemote } from './remote-session.ts'

const UNKNOWN = () => ({ error: { code: -32601, message: 'the method does not exist' } })
const HTTP: ChainAddress = { url: 'http://node.example/', transport: 'http', host: 'node.example' }
const WS: ChainAddress = { url: 'ws://node.example/', transport: 'webSocket', host: 'node.example' }

const PLAIN: Record<string, FakeMethod> = {
  eth_chainId: () => '0x1',
  eth_accounts: () => [],
  web3_clientVersion: () => 'plain/1',
  devnet_status: UNKNOWN,
  room_info: UNKNOWN,
  chain_transactionStatus: UNKNOWN,
  base_transactionStatus: UNKNOWN,
  eth_subscribe: UNKNOWN,
  eth_unsubscribe: () => true,
}

const STATUS = {
  clientVersion: 'Blinknet/v1',
  chainId: '0x1',
  seed: 1,
  mode: 'auto',
  paused: false,
  speed: 1,
  partialMs: 200,
  partialsPerBlock: 10,
  chainTimeMs: 1_000,
  head: { number: '0x0', hash: `0x${'1'.repeat(64)}` },
  live: {
    number: '0x1',
    index: 0,
    sealsAtMs: 3_000,
    nextTickAtMs: 1_200,
    transactionCount: 0,
    transactionsByPartial: [0],
    gasUsed: '0x0',
    gasLimit: '0x1000',
  },
  pool: { pending: 0, queued: 0 },
  faults: { stalledTicks: 0, sealDelayMs: 0, failNext: [] },
  accounts: [],
}

/** A remote chain: its methods, and whether it can be reached. */
function setUp(methods: Record<string, FakeMethod> = {}, endpoint = HTTP, options: Partial<AttachOptions> = {}) {
  const remote = new FakeEndpoint({ ...PLAIN, ...methods })
  let problem: RemoteProblem | undefined
  const listeners: RemoteLinkListener[] = []
  const closed: boolean[] = []
  const attach = () =>
    attachRemote(endpoint, {
      pageProtocol: 'http:',
      agreed: true,
      ...options,
      connect(_endpoint, listener) {
        const connection = remote.connect((body) => listener.onNotification(body))
        const index = listeners.push(listener) - 1
        return {
          request: (body) => (problem ? Promise.reject(new RemoteDisconnectedError(problem)) : connection.handle(body)),
          close() {
            closed[index] = true
          },
        }
      },
    })
  return {
    remote,
    attach,
    closed,
    listeners,
    fail: (next: RemoteProblem | undefined) => {
      problem = next
    },
  }
}

async function settled(session: ReturnType<typeof attachRemote>) {
  return vi.waitFor(() => {
    const status = session.remote.status.get()
    return status.status === 'connecting' ? expect.fail('still connecting') : status
  })
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('nothing is sent before a person has agreed, whatever the page asks or tries again', async () => {
  const { remote, attach } = setUp({}, HTTP, { agreed: false })
  const session = attach()
  session.restart()
  await expect(session.provider.request({ method: 'eth_blockNumber' })).rejects.toThrow('nobody has agreed yet')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(session.remote.status.get()).toEqual({ status: 'asking' })
  expect(remote.received).toEqual([])
  session.remote.agree()
  expect(await settled(session)).toMatchObject({ status: 'attached' })
})

test('a plain chain is attached with no more capabilities than it has', async () => {
  const session = setUp().attach()
  expect(session.state.get()).toEqual({ status: 'starting' })
  expect(await settled(session)).toEqual({
    status: 'attached',
    chainId: 1,
    clientVersion: 'plain/1',
    capabilities: NO_CAPABILITIES,
  })
  expect(session.state.get()).toEqual({ status: 'ready' })
})

test('capabilities are found by asking: Blinknet, a node of Base, a development node', async () => {
  const subscribing = (...kinds: string[]): FakeMethod => {
    return ([kind]) => (kinds.includes(String(kind)) ? '0x1' : UNKNOWN())
  }
  const capabilitiesOf = async (methods: Record<string, FakeMethod>, endpoint?: ChainAddress) => {
    const status = await settled(setUp(methods, endpoint).attach())
    return status.status === 'attached' ? status.capabilities : expect.fail('not attached')
  }
  const blinknet = {
    devnet_status: () => STATUS,
    chain_transactionStatus: () => ({ status: 'Unknown' }),
    eth_subscribe: subscribing('newHeads', 'newPartialBlocks', 'newFlashblocks'),
  }
  expect(await capabilitiesOf(blinknet, WS)).toMatchObject({ preconfirms: true, partialBlocks: 'diffs', devnet: true })
  expect(await capabilitiesOf(blinknet, HTTP)).toMatchObject({ preconfirms: true, partialBlocks: 'none', devnet: true })
  const base = { eth_subscribe: subscribing('newHeads', 'newFlashblocks') }
  expect(await capabilitiesOf(base, WS)).toMatchObject({ preconfirms: true, partialBlocks: 'blocks', devnet: false })
  const anvil = {
    eth_accounts: () => DEV_KEYS.map(({ address }) => address.toUpperCase().replace('X', 'x')),
    eth_subscribe: subscribing('newHeads'),
  }
  expect(await capabilitiesOf(anvil, WS)).toEqual({
    preconfirms: false,
    partialBlocks: 'none',
    pushes: true,
    devnet: false,
    film: false,
    accounts: DEV_KEYS.map(({ address }) => address),
  })
})

test('a chain without accounts and version is accepted', async () => {
  const status = await settled(setUp({ eth_accounts: UNKNOWN, web3_clientVersion: UNKNOWN }).attach())
  expect(status).toMatchObject({ status: 'attached', clientVersion: '', capabilities: { accounts: [] } })
})

test('a failed first attempt says why, and can be repeated', async () => {
  const scene = setUp()
  scene.fail({ code: 'unreachable' })
  const session = scene.attach()
  expect(await settled(session)).toEqual({ status: 'failed', problem: { code: 'unreachable' } })
  expect(session.state.get()).toEqual({ status: 'crashed', message: 'there is no answer from this address' })
  expect(scene.closed).toEqual([true])
  await expect(session.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })

  scene.fail(undefined)
  session.restart()
  expect(await settled(session)).toMatchObject({ status: 'attached' })
})

test('a chain with another id than expected is refused', async () => {
  const session = setUp({}, HTTP, { expectedChainId: 31337 }).attach()
  expect(await settled(session)).toEqual({
    status: 'failed',
    problem: { code: 'wrong-chain', expected: 31337, actual: 1 },
  })
})

test('an endpoint without a chain id is refused', async () => {
  expect(await settled(setUp({ eth_chainId: () => 'main' }).attach())).toMatchObject({
    status: 'failed',
    problem: { code: 'refused', message: "the chain's answer to eth_chainId is invalid" },
  })
})

test('an https page does not even try a plain address', async () => {
  const scene = setUp({}, HTTP, { pageProtocol: 'https:' })
  expect(await settled(scene.attach())).toMatchObject({ problem: { code: 'mixed-content' } })
  expect(scene.listeners).toEqual([])
})

test('a lost connection is announced, and retried at growing intervals', async () => {
  const scene = setUp()
  const session = scene.attach()
  await settled(session)
  const events: unknown[] = []
  session.provider.on('disconnect', ({ code }) => events.push(code))
  session.provider.on('connect', ({ chainId }) => events.push(chainId))

  scene.fail({ code: 'unreachable' })
  scene.listeners[0]?.onLost(new DisconnectedError('the connection was lost'))
  expect(session.state.get()).toEqual({ status: 'starting' })
  await vi.advanceTimersByTimeAsync(499)
  expect(scene.listeners).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(scene.listeners).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(scene.listeners).toHaveLength(3)
  expect(session.remote.status.get()).toEqual({ status: 'connecting', attempt: 3 })

  scene.fail(undefined)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(session.remote.status.get()).toMatchObject({ status: 'attached' })
  expect(events).toEqual([4900, '0x1'])
})

test('when a connection stays lost, the page stops trying, with a clear message', async () => {
  const scene = setUp()
  const session = scene.attach()
  await settled(session)
  scene.fail({ code: 'unreachable' })
  scene.listeners[0]?.onLost(new DisconnectedError('the connection was lost'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(session.remote.status.get()).toEqual({ status: 'failed', problem: { code: 'unreachable' } })
  expect(scene.listeners).toHaveLength(7)
})

test('messages of an older connection are ignored', async () => {
  const scene = setUp()
  const session = scene.attach()
  await settled(session)
  session.restart()
  await settled(session)
  scene.listeners[0]?.onLost(new DisconnectedError('late'))
  expect(session.remote.status.get()).toMatchObject({ status: 'attached' })
})

test('a closed session stays closed', async () => {
  const scene = setUp()
  const session = scene.attach()
  await settled(session)
  scene.listeners[0]?.onLost(new DisconnectedError('the connection was lost'))
  session.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(session.state.get().status).toBe('crashed')
  expect(scene.listeners).toHaveLength(1)
})

test('a chain with an invalid status is attached without it', async () => {
  for (const status of [0, {}, { ...STATUS, partialMs: 0 }, { ...STATUS, partialsPerBlock: 1e9 }]) {
    const attached = await settled(setUp({ devnet_status: () => status }).attach())
    expect(attached).toMatchObject({ status: 'attached', capabilities: { devnet: false } })
  }
})

const ROOM = { url: 'http://192.0.2.1:8545/', guests: 0, limits: { transactionsPerSecond: 2 } }

test('a guest of a room asks for little, and follows the chain only once it looks around', async () => {
  const { remote, attach } = setUp({ room_info: () => ({ ...ROOM, role: 'guest' }) }, WS)
  const session = attach()
  expect(await settled(session)).toMatchObject({
    capabilities: { accounts: [], devnet: true, partialBlocks: 'diffs', room: ROOM },
  })
  expect(remote.received.map((body) => (JSON.parse(body) as { method: string }).method)).toEqual([
    'eth_chainId',
    'room_info',
    'web3_clientVersion',
    'eth_chainId',
  ])
  expect(session.state.get()).toEqual({ status: 'starting' })
  session.remote.lookAround(true)
  expect(session.state.get()).toEqual({ status: 'ready' })
  session.remote.lookAround(false)
  expect(session.state.get()).toEqual({ status: 'starting' })
  session.close()
})

test('a guest who cannot get the room’s events is told so, and the speaker needs none', async () => {
  const attachAs = (role: string) => settled(setUp({ room_info: () => ({ ...ROOM, role }) }, HTTP).attach())
  expect(await attachAs('guest')).toEqual({ status: 'failed', problem: { code: 'guest-over-http' } })
  expect(await attachAs('speaker')).toMatchObject({ status: 'attached' })
})

test('the speaker of a room has the whole page', async () => {
  const session = setUp({ room_info: () => ({ ...ROOM, role: 'speaker' }), devnet_status: () => STATUS }).attach()
  expect(await settled(session)).toMatchObject({ capabilities: { room: ROOM } })
  expect(session.state.get()).toEqual({ status: 'ready' })
  session.close()
})

test.each([
  { ...ROOM, role: 'owner' },
  { ...ROOM, role: 'guest', url: 'javascript:alert(1)' },
  { ...ROOM, role: 'guest', url: 'http://[' },
  { role: 'guest' },
  'room',
])('what is no room is none: %j', async (info) => {
  const session = setUp({ room_info: () => info }).attach()
  expect(await settled(session)).toMatchObject({ capabilities: { room: undefined } })
  session.close()
})
