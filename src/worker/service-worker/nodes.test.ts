import { expect, test } from 'vitest'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { FakeChannels } from '#testing/transport/fake-channels.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { serveChannel } from '#transport/channel/serve-channel.ts'
import { createNodeFinder, type NodesHost } from './nodes.ts'

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'

/** An origin where two chains with different chain ids run. */
function setUp(holdLock: NodesHost['holdLock'] = async () => {}) {
  const clock = new FakeClock()
  const channels = new FakeChannels()
  const watched: string[] = []
  const nodes = new Map<string, FakeEndpoint>()
  for (const [index, chain] of ['main', 'other'].entries()) {
    const node = new FakeEndpoint({ eth_chainId: () => chain })
    nodes.set(chain, node)
    serveChannel({
      open: channels.participant().open,
      chainName: `blinknet:/folder/:${chain}`,
      leadership: { leader: `leader-${index}`, epoch: 1 },
      clock,
      watchLock: (name) => watched.push(name),
      onSuperseded: () => {},
    }).serve(node, { kind: 'journal' })
  }
  let callers = 0
  const nodeOf = createNodeFinder('/folder/', {
    clock,
    open: channels.participant().open,
    newCaller: () => `caller-${++callers}`,
    holdLock,
  })
  return { nodeOf, nodes, watched }
}

test('each chain is served by its own node, over one connection for all callers', async () => {
  const { nodeOf } = setUp()
  for (const chain of ['main', 'other']) {
    const endpoint = await nodeOf(chain)
    await endpoint.ready()
    expect(await endpoint.connect().handle(CHAIN_ID)).toContain(`"${chain}"`)
    expect(await nodeOf(chain)).toBe(endpoint)
  }
})

test('the service worker holds its lock before it greets the leader, so the leader can see when it is gone', async () => {
  const held: string[] = []
  const { nodeOf, watched } = setUp(async (name) => void held.push(name))
  await (await nodeOf('main')).ready()
  expect(held).toEqual(['blinknet:/folder/:main/caller-1'])
  expect(watched).toEqual(held)
})

test('a connection without a listener cannot be notified', async () => {
  const { nodeOf, nodes } = setUp()
  const endpoint = await nodeOf('main')
  await endpoint.ready()
  await endpoint.connect().handle(CHAIN_ID)
  expect(nodes.get('main')?.subscribers).toBe(0)
  await endpoint.connect(() => {}).handle(CHAIN_ID)
  expect(nodes.get('main')?.subscribers).toBe(1)
})

test('a lock that cannot be acquired is requested again the next time', async () => {
  const outcomes = [Promise.reject(new Error('no locks')), Promise.resolve()]
  const { nodeOf } = setUp(() => outcomes.shift() as Promise<void>)
  await expect(nodeOf('main')).rejects.toThrow('no locks')
  await expect(nodeOf('main')).resolves.toBeDefined()
})
