import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Hex } from '#primitives/hex.ts'
import type { JsonRpcNotification } from '#rpc-types/envelope.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { postFrom, type ServedTestChain, serveChain } from '#testing/server/served-chain.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'

const HOLDER: Hex = `0x${'99'.repeat(20)}`
const server = serverOfEachTest()
const { start, rpc } = server

let original: TestNode
let served: ServedTestChain
const alsoServed: ServedTestChain[] = []
beforeEach(async () => {
  original = await createTestNode({ mode: 'manual', chainId: 77 })
  await original.request('anvil_setBalance', [HOLDER, '0x5'])
  await original.request('anvil_setBalance', [HOLDER, '0x6'])
  await original.request('evm_mine')
  served = await serveChain(original)
})
afterEach(async () => {
  for (const each of [served, ...alsoServed.splice(0)]) await each.close()
})
const serve = async (node: TestNode) => {
  const other = await serveChain(node)
  alsoServed.push(other)
  return other
}

const balance = () => rpc('eth_getBalance', HOLDER, 'latest')
const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '')
const head = async () => Number(await original.request('eth_blockNumber'))
const reset = (jsonRpcUrl: string, blockNumber?: number) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'anvil_reset',
  params: [{ forking: { jsonRpcUrl, blockNumber } }],
})

describe('anvil_reset and hardhat_reset', () => {
  test('make the chain a fork, of any of its blocks, and no fork again', async () => {
    await start('--clock', 'manual', '--balance', '0')
    const before = await rpc('eth_getBlockByNumber', '0x0', false)
    expect(await rpc('anvil_reset', { forking: { jsonRpcUrl: served.url } })).toBeNull()
    expect(await rpc('eth_chainId')).toBe('0x4d')
    expect(await rpc('eth_getBlockByNumber', 'latest', false)).toEqual(
      await original.request('eth_getBlockByNumber', ['latest', false]),
    )
    expect(await balance()).toBe('0x6')
    expect(await rpc('anvil_nodeInfo')).toMatchObject({
      forkConfig: { forkUrl: new URL(served.url).host, forkBlockNumber: await head() },
    })

    expect(await rpc('hardhat_reset', { forking: { jsonRpcUrl: served.url, blockNumber: 1 } })).toBe(true)
    expect(await balance()).toBe('0x5')
    expect(await rpc('anvil_metadata')).toMatchObject({ forkedNetwork: { chainId: 77, forkBlockNumber: 1 } })
    // Without an address the endpoint stays.
    expect(await rpc('anvil_reset', { forking: {} })).toBeNull()
    expect(await balance()).toBe('0x6')

    expect(await rpc('hardhat_reset')).toBe(true)
    expect(await rpc('eth_getBlockByNumber', '0x0', false)).toEqual(before)
    expect(await rpc('eth_chainId')).toBe('0x7a69')
    const host = new URL(served.url).host
    const told = (block: number) =>
      expect.stringMatching(`^A fork of chain 77 at ${host} after block ${block}; its state is`) as unknown
    const after = [
      told(await head()),
      told(1),
      told(await head()),
      expect.stringContaining('no fork any more') as unknown,
    ]
    expect(server.logged).toEqual(after)
  })

  test('a fork of the command line is forked anew, with its headers and nobody else’s', async () => {
    const other = await serve(original)
    await start('--clock', 'manual', '--fork-url', `${served.url}/v2/key@1`, '--fork-header', 'X-Key: secret')
    expect(await balance()).toBe('0x5')
    await rpc('anvil_reset', { forking: { blockNumber: await head() } })
    expect(await balance()).toBe('0x6')
    expect(new Set(served.requests.map((headers) => headers['x-key']))).toEqual(new Set(['secret']))
    await rpc('anvil_reset', { forking: { jsonRpcUrl: other.url } })
    await rpc('anvil_setRpcUrl', `${other.url}/another`)
    expect(await balance()).toBe('0x6')
    expect(new Set(other.requests.map((headers) => headers['x-key']))).toEqual(new Set([undefined]))
  })

  test('to the same block of the same endpoint fetches nothing again, unless the endpoint has another block there', async () => {
    await start('--clock', 'manual', '--balance', '0', '--fork-url', `${served.url}@1`)
    expect(await balance()).toBe('0x5')
    await rpc('anvil_setBalance', HOLDER, '0x9')
    expect(await balance()).toBe('0x9')
    const before = served.requests.length
    await rpc('hardhat_reset', { forking: { jsonRpcUrl: served.url, blockNumber: 1 } })
    expect(await balance()).toBe('0x5')
    // The chain id and the block, in one.
    expect(served.requests.length).toBe(before + 1)
    // What was not fetched then still is.
    expect(await rpc('eth_getBalance', `0x${'98'.repeat(20)}`, 'latest')).toBe('0x0')

    const other = await createTestNode({ mode: 'manual', chainId: 77 })
    await other.request('anvil_setBalance', [HOLDER, '0x7'])
    await other.request('evm_mine')
    const { port } = new URL(served.url)
    await served.close()
    served = await serveChain(other, () => false, Number(port))
    await rpc('hardhat_reset', { forking: { jsonRpcUrl: served.url, blockNumber: 1 } })
    expect(await balance()).toBe('0x7')
  })

  test('begin the time of each fork anew, at that of its block', async () => {
    const timestampAt = async (node: (block: string) => Promise<unknown>, block: string) =>
      Number(((await node(block)) as { readonly timestamp: Hex }).timestamp)
    const own = (block: string) => rpc('eth_getBlockByNumber', block, false)
    const there = (block: string) => original.request('eth_getBlockByNumber', [block, false])
    await original.request('evm_increaseTime', [1_000_000])
    await original.request('evm_mine')
    const [early, late] = [await timestampAt(there, '0x1'), await timestampAt(there, 'latest')]
    const newest = await head()
    await start('--balance', '20000', '--fork-url', `${served.url}@1`, '--timestamp', String(early + 500))
    expect((await timestampAt(own, '0x2')) - early).toBe(502)
    await rpc('anvil_reset', { forking: { blockNumber: newest } })
    expect((await timestampAt(own, 'latest')) - late).toBeLessThanOrEqual(4)
    await rpc('anvil_reset', { forking: { blockNumber: 1 } })
    expect((await timestampAt(own, '0x2')) - early).toBe(502)
    expect(server.logged).toEqual([
      expect.stringContaining(`Its time goes on from that of the block, ${dateOf(late)}; --fork-time now takes`),
      expect.stringContaining(`Its time begins at ${dateOf(early + 500)}.`),
    ])
  })

  test('say which development accounts are delegated there', async () => {
    const [account = HOLDER] = await original.request('eth_accounts')
    await original.request('anvil_setCode', [account, `0xef0100${'51'.repeat(20)}`])
    await original.request('evm_mine')
    await start('--clock', 'manual')
    await rpc('anvil_reset', { forking: { jsonRpcUrl: served.url } })
    expect(await rpc('eth_getCode', account, 'latest')).toBe('0x')
    expect(server.logged).toEqual([
      expect.stringMatching(`\\nThese accounts are delegated there \\(EIP-7702\\), and no more here: ${account}\\.$`),
    ])
  })

  test('automine goes on, and so does a pause', async () => {
    await start()
    await rpc('evm_setAutomine', true)
    await rpc('anvil_reset', { forking: { jsonRpcUrl: served.url } })
    expect(await rpc('hardhat_getAutomine')).toBe(true)
    const [from] = (await rpc('eth_accounts')) as Hex[]
    const hash = await rpc('eth_sendTransaction', { from, to: HOLDER, value: '0x1' })
    expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    await rpc('evm_setAutomine', false)
    await rpc('anvil_reset')
    expect(await rpc('devnet_status')).toMatchObject({ automine: false, paused: true })
  })

  test('subscriptions go on under their ids', async () => {
    await start('--clock', 'manual', '--balance', '0')
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`)
    await once(socket, 'open')
    const heard: { id?: number; result?: unknown; params?: JsonRpcNotification['params'] }[] = []
    const waiting = new Map<number, () => void>()
    const heads: { readonly subscription: unknown; readonly parentHash: unknown }[] = []
    let tell = () => {}
    const firstHead = new Promise<void>((resolve) => {
      tell = resolve
    })
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as (typeof heard)[number]
      heard.push(message)
      if (message.id !== undefined) return waiting.get(message.id)?.()
      const { subscription, result } = message.params as { subscription: unknown; result: { parentHash: unknown } }
      heads.push({ subscription, parentHash: result.parentHash })
      tell()
    })
    const call = async (id: number, method: string, ...params: readonly unknown[]) => {
      const answered = new Promise<void>((resolve) => waiting.set(id, resolve))
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      await answered
      return heard.find((message) => message.id === id)?.result
    }
    const subscription = await call(1, 'eth_subscribe', 'newHeads')
    // Over the socket itself: its answer still comes from the chain before.
    expect(await call(2, 'anvil_reset', { forking: { jsonRpcUrl: served.url } })).toBeNull()
    await call(3, 'evm_mine')
    await firstHead
    const { hash } = (await original.request('eth_getBlockByNumber', ['latest', false])) ?? {}
    expect(heads[0]?.subscription).toBe(subscription)
    const parents = heads.map(({ parentHash }) => parentHash)
    expect(parents).toContain(hash)
    expect(await call(4, 'eth_unsubscribe', subscription)).toBe(true)
    socket.terminate()
  })

  test('an endpoint that cannot be forked changes nothing, and errors show no secret part of its address', async () => {
    await start('--clock', 'manual', '--fork-url', served.url, '--retries', '0')
    const attempts: readonly (readonly [url: string, message: RegExp])[] = [
      ['http://me:secret@127.0.0.1:1/key', /^127\.0\.0\.1:1 does not answer: /],
      ['ftp://me:secret@127.0.0.1/key', /begins with http:\/\/ or https:\/\//],
      ['http://', /begins with http:\/\/ or https:\/\//],
      ['http://me:secret@[::1/key', /^jsonRpcUrl is no address$/],
    ]
    for (const [url, message] of attempts) {
      const failure: unknown = await rpc('anvil_reset', { forking: { jsonRpcUrl: url } }).catch(
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(Error)
      expect((failure as Error).message).toMatch(message)
      expect((failure as Error).message).not.toMatch(/secret|key/)
    }
    await expect(rpc('anvil_reset', { forking: { blockNumber: 9_999 } })).rejects.toThrow('has no block 9999')
    expect(await rpc('eth_chainId')).toBe('0x4d')
    expect(await balance()).toBe('0x6')
  })

  test('without an address there has to be a fork already', async () => {
    await start('--clock', 'manual')
    await expect(rpc('anvil_reset', { forking: { blockNumber: 1 } })).rejects.toThrow('forking needs a jsonRpcUrl')
    await expect(rpc('anvil_setRpcUrl', served.url)).rejects.toThrow('this chain is no fork')
  })

  test('a chain that is kept is not replaced', async () => {
    await start('--clock', 'manual', '--data', server.folder)
    await expect(rpc('anvil_reset', { forking: { jsonRpcUrl: served.url } })).rejects.toThrow('--fork-url')
    expect(served.requests).toEqual([])
    expect(await rpc('anvil_reset', { forking: { blockNumber: null } })).toBeNull()
  })
})

test('an endpoint that refuses eth_getProof by a bare HTTP status is trusted, and the banner says why', async () => {
  const refusing = await serveChain(original, (body) => body.includes('eth_getProof'))
  alsoServed.push(refusing)
  await start('--clock', 'manual', '--fork-url', refusing.url)
  expect(server.printed).toContain('it has no proofs (eth_getProof: HTTP status 403) and is taken at its word')
  expect(await balance()).toBe('0x6')
  // One that refuses everything is not taken at its word for anything.
  const closed = await serveChain(original, () => true)
  alsoServed.push(closed)
  await expect(start('--fork-url', closed.url)).rejects.toThrow('refuses the request: HTTP status 403')
})

describe('anvil_setRpcUrl', () => {
  test('takes another endpoint of the same chain, and refuses any other', async () => {
    const [same, different] = [await serve(original), await serve(await createTestNode({ mode: 'manual' }))]
    // A chain with the same id, and other blocks.
    const other = await createTestNode({ mode: 'manual', chainId: 77 })
    await other.request('devnet_seal', [await head()])
    const split = await serve(other)
    await start('--clock', 'manual', '--fork-url', served.url)
    await expect(rpc('anvil_setRpcUrl', different.url)).rejects.toThrow('its chain id is 31337, not 77')
    await expect(rpc('anvil_setRpcUrl', split.url)).rejects.toThrow(/its block is 0x[0-9a-f]{64}, not 0x/)
    await rpc('anvil_setRpcUrl', same.url)
    await served.close()
    served = same
    alsoServed.splice(alsoServed.indexOf(same), 1)
    expect(await balance()).toBe('0x6')
    expect(await rpc('devnet_status')).toMatchObject({ fork: { endpoint: new URL(same.url).host } })
    // A reset without an address forks at the one that was set.
    await rpc('anvil_reset', { forking: {} })
    expect(await rpc('devnet_status')).toMatchObject({ fork: { endpoint: new URL(same.url).host } })
  })
})

describe('a website', () => {
  const site = 'https://site.example'

  test('that may call the node does not choose which hosts the node calls', async () => {
    await start('--clock', 'manual', '--allow-origin', '*')
    for (const method of ['anvil_reset', 'hardhat_reset']) {
      const answer = await postFrom(site, server.port, { ...reset(served.url), method })
      expect(answer).toMatchObject({ error: { code: 4100 } })
    }
    const set = { jsonrpc: '2.0', id: 1, method: 'anvil_setRpcUrl', params: [served.url] }
    expect(await postFrom(site, server.port, set)).toMatchObject({ error: { code: 4100 } })
    expect(await postFrom('null', server.port, reset(served.url))).toMatchObject({ error: { code: 4100 } })
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`, { headers: { Origin: site } })
    await once(socket, 'open')
    socket.send(JSON.stringify(reset(served.url)))
    const [data] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(data.toString())).toMatchObject({ error: { code: 4100 } })
    socket.terminate()
    expect(served.requests).toEqual([])
    // A page of this machine is the person's own, and a site may still start the chain over.
    expect(await postFrom(site, server.port, { ...reset(served.url), params: [] })).toMatchObject({ result: null })
    expect(await postFrom('http://localhost:5173', server.port, reset(served.url))).toMatchObject({ result: null })
    expect(await rpc('eth_chainId')).toBe('0x4d')
  })

  test('cannot do it through a room either, with a call of the room in the same body', async () => {
    await start('--clock', 'manual', '--allow-origin', '*', '--room')
    const info = { jsonrpc: '2.0', id: 2, method: 'room_info', params: [] }
    const port = Number(/For you: +http:\/\/127\.0\.0\.1:(\d+)/.exec(server.printed)?.[1])
    expect(await postFrom(site, port, [info, reset(served.url)])).toMatchObject([
      { result: { role: 'speaker' } },
      { error: { code: 4100 } },
    ])
    expect(served.requests).toEqual([])
  })
})
