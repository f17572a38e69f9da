// Longer than most files: each case of a stream is held to the same reader of blocks.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { type Hex, keccak256 } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FlashblocksReader } from '#testing/server/http/flashblocks-reader.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import type { ServerLimits } from './limits.ts'
import { type RunningServer, type ServerOptions, startServer } from './start-server.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(
  endpoint: RpcEndpoint,
  options: Partial<ServerOptions> & { readonly limits?: Partial<ServerLimits> } = {},
): Promise<RunningServer> {
  const server = await startServer(endpoint, {
    host: '127.0.0.1',
    port: 0,
    log: () => {},
    flashblocks: '/ws',
    ...options,
  })
  closers.push(() => server.close())
  return server
}

function dial(port: number, path = '/ws', headers: Record<string, string> = {}): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
  closers.push(() => socket.terminate())
  return socket
}

/** A client of a stream, and what came. */
async function listen(port: number, path = '/ws') {
  const socket = dial(port, path)
  const frames: { readonly data: Buffer; readonly isBinary: boolean }[] = []
  socket.on('message', (data, isBinary) => frames.push({ data: data as Buffer, isBinary }))
  await once(socket, 'open')
  /** Resolves once all that was sent has come. */
  const arrived = async () => {
    const answered = once(socket, 'pong')
    socket.ping()
    await answered
  }
  // The subscription is there before the answer to what comes later.
  await arrived()
  let taken = 0
  const texts = async () => {
    await arrived()
    const fresh = frames.slice(taken)
    taken = frames.length
    return fresh.map(({ data }) => data.toString('utf8'))
  }
  return { socket, frames, texts }
}

/** A client that reads what came as Base's nodes do. */
async function follow(port: number) {
  const { texts } = await listen(port)
  const reader = new FlashblocksReader()
  const read = async () => {
    const messages = []
    for (const text of await texts()) messages.push(await reader.read(text))
    return messages
  }
  return { reader, read }
}

/** PUSH1 42 PUSH0 PUSH0 LOG1 STOP, as the code of a creation. */
const LOGGING: Hex = '0x602a5f5fa100'
/** Pays what it has been paid to account 0x42: only the state tells. */
const FORWARDING: Hex = '0x5f5f5f5f3460425af100'

const FEES = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1n }

function signForwarding(account: number, nonce: number): Promise<Hex> {
  const { signTransaction } = devAccount(account)
  return signTransaction({
    ...FEES,
    chainId: 31337,
    gas: 200_000n,
    type: 'eip1559',
    nonce,
    data: FORWARDING,
    value: 7n,
  })
}

/** Five transactions, one of each type and one that fails. */
async function signEach(account: number, nonce: number): Promise<readonly Hex[]> {
  const { signTransaction, address } = devAccount(account)
  const common = { chainId: 31337, gas: 200_000n }
  const to = devAccount(9).address
  const authorization = await devAccount(account + 5).signAuthorization({
    chainId: 31337,
    contractAddress: to,
    nonce: 0,
  })
  return Promise.all([
    signTransaction({ ...common, type: 'legacy', nonce, gasPrice: 10_000_000_000n, to, value: 1n }),
    signTransaction({
      ...common,
      type: 'eip2930',
      nonce: nonce + 1,
      gasPrice: 10_000_000_000n,
      accessList: [{ address, storageKeys: [] }],
      data: LOGGING,
    }),
    signForwarding(account, nonce + 2),
    signTransaction({ ...common, ...FEES, type: 'eip7702', nonce: nonce + 3, to, authorizationList: [authorization] }),
    // Fails.
    signTransaction({ ...common, ...FEES, type: 'eip1559', nonce: nonce + 4, data: '0xfe' }),
  ])
}

async function balanceAt(node: TestNode, address: string, number: number | 'pending') {
  return node.request('eth_getBalance', [address, number === 'pending' ? number : `0x${number.toString(16)}`])
}

test('a reader of another hand rebuilds every block from 1,000 partial blocks', async () => {
  const node = await createTestNode()
  const { port } = await serve(node.node)
  const { reader, read } = await follow(port)
  await node.clock.advance(2_000)
  await read()
  let count = 0
  let transactions = 0
  for (let round = 0; count < 1_000; round++) {
    if (round % 10 === 0) {
      const account = (round / 10) % 5
      const nonce = Math.floor(round / 50) * 5
      for (const raw of await signEach(account, nonce)) await node.request('eth_sendRawTransaction', [raw])
    }
    await node.clock.advance(200)
    for (const { diff, metadata } of await read()) {
      count++
      transactions += diff.transactions.length
      const balances = Object.entries(metadata.new_account_balances)
      const [address, balance] = balances[count % balances.length] ?? []
      if (address !== undefined) {
        expect(balance, address).toBe(await balanceAt(node, address, 'pending'))
      }
    }
  }
  expect(transactions).toBeGreaterThan(400)
  expect(new Set(reader.sequels.slice(1))).toEqual(new Set(['next', 'next block']))

  const head = Number(await node.request('eth_blockNumber'))
  let compared = 0
  for (const { number, hash, receiptsRoot, transactions: raws } of reader.blocks.values()) {
    if (number > head) continue
    compared++
    const block = await node.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    expect(block).toMatchObject({ hash, receiptsRoot, transactions: raws.map((raw) => keccak256(raw)) })
  }
  expect(compared).toBeGreaterThanOrEqual(100)
})

test('balances are those of all accounts that the block has changed so far, those paid by contracts among them', async () => {
  const node = await createTestNode()
  const { port } = await serve(node.node)
  const { read } = await follow(port)
  await node.clock.advance(2_000)
  await read()
  await node.request('eth_sendRawTransaction', [await signForwarding(0, 0)])
  await node.clock.advance(200)
  const messages = await read()
  const paid = messages.find(({ diff }) => diff.transactions.length > 0)
  const contract = await node.request('eth_getTransactionReceipt', [
    Object.keys(paid?.metadata.receipts ?? {})[0] as Hex,
  ])
  const coinbase = (await node.request('eth_getBlockByNumber', ['pending', false]))?.miner
  expect(paid?.metadata.new_account_balances).toEqual({
    [devAccount(0).address.toLowerCase()]: await balanceAt(node, devAccount(0).address, 'pending'),
    [String(contract?.contractAddress)]: '0x0',
    '0x0000000000000000000000000000000000000042': '0x7',
    [String(coinbase)]: await balanceAt(node, String(coinbase), 'pending'),
  })
  await node.clock.advance(200)
  const [next] = await read()
  expect(next?.diff.transactions).toEqual([])
  expect(next?.metadata.new_account_balances).toEqual(paid?.metadata.new_account_balances)
})

test('who comes in the middle of a block gets the next difference, and a base with the next block', async () => {
  const node = await createTestNode()
  const { port } = await serve(node.node)
  await node.clock.advance(2_400)
  const { reader, read } = await follow(port)
  expect(await read()).toEqual([])
  await node.clock.advance(200)
  expect(await read()).toMatchObject([{ index: 3 }])
  expect(reader.block).toBeUndefined()
  await node.clock.advance(1_800)
  const rest = await read()
  expect(rest.map(({ index }) => index)).toEqual([4, 5, 6, 7, 8, 9, 0, 1, 2])
  expect(reader.block).toBeDefined()
})

test('where partial blocks are withdrawn another payload begins at index 0, as with a sequencer that builds anew', async () => {
  const node = await createTestNode()
  const { port } = await serve(node.node)
  const { reader, read } = await follow(port)
  await node.clock.advance(2_000)
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.clock.advance(200)
  await node.request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  await node.clock.advance(400)
  await read()
  const before = reader.block
  expect(before?.transactions).toHaveLength(2)

  await node.request('devnet_dropPartialBlocks', [2])
  await node.clock.advance(600)
  const messages = await read()
  expect(messages.map(({ index }) => index)).toEqual([0, 1, 2, 3])
  expect(messages[0]?.payload_id).not.toBe(before?.payloadId)
  expect(new Set(messages.map(({ payload_id }) => payload_id)).size).toBe(1)
  expect(reader.block?.number).toBe(before?.number)
  // Base's nodes forget the block at index 0 here, and go on with the next one.
  expect(reader.sequels.slice(-4)).toEqual(['gap', 'next', 'next', 'next'])
  await node.clock.advance(2_000)
  await read()
  expect((await node.request('eth_getBlockByNumber', ['0x2', false]))?.hash).toBe(reader.blocks.get(2)?.hash)
})

test('after a reorg the stream begins again at the block in the place of the removed one', async () => {
  const node = await createTestNode()
  const { port } = await serve(node.node)
  const { reader, read } = await follow(port)
  await node.clock.advance(6_400)
  await read()
  expect(reader.block?.number).toBe(4)
  await node.request('devnet_reorg', [2])
  await node.clock.advance(200)
  const messages = await read()
  expect(messages[0]).toMatchObject({ index: 0, metadata: { block_number: 2 } })
  expect(reader.sequels.at(-messages.length)).toBe('another block')
  await node.clock.advance(4_000)
  await read()
  for (const number of [2, 3]) {
    const block = await node.request('eth_getBlockByNumber', [`0x${number}`, false])
    expect(block?.hash).toBe(reader.blocks.get(number)?.hash)
  }
})

test('a revert to a snapshot begins its live block at index 0', async () => {
  const node = await createTestNode()
  const { port } = await serve(node.node)
  const { reader, read } = await follow(port)
  await node.clock.advance(2_400)
  const id = await node.request('evm_snapshot')
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.clock.advance(4_000)
  await read()
  expect(reader.block?.number).toBe(4)
  await node.request('evm_revert', [id])
  await node.clock.advance(200)
  const messages = await read()
  expect(messages.map(({ index, metadata }) => [metadata.block_number, index])).toEqual([
    [2, 0],
    [2, 1],
  ])
})

test('with automine each block is one message, and while the chain is paused none comes', async () => {
  const node = await createTestNode()
  const { port } = await serve(node.node)
  const { reader, read } = await follow(port)
  await node.request('evm_setAutomine', [true])
  await read()
  for (const nonce of [0, 1, 2]) await node.request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
  const messages = await read()
  const sealed = messages.filter(({ diff }) => diff.transactions.length > 0)
  expect(sealed.map(({ metadata }) => metadata.block_number)).toEqual([1, 2, 3])
  for (const number of [1, 2, 3]) {
    const block = await node.request('eth_getBlockByNumber', [`0x${number}`, false])
    expect(block?.hash).toBe(reader.blocks.get(number)?.hash)
  }
  await node.request('devnet_resume')
  await node.clock.advance(400)
  await read()
  await node.request('devnet_pause')
  await node.clock.advance(4_000)
  expect(await read()).toEqual([])
  await node.request('devnet_resume')
  await node.clock.advance(200)
  expect(await read()).not.toEqual([])
})

test('with ?brotli the same messages come compressed, in binary frames', async () => {
  const node = await createTestNode()
  const { port } = await serve(node.node)
  const plain = await listen(port)
  const compressed = await listen(port, '/ws?brotli')
  await node.clock.advance(4_000)
  const texts = await plain.texts()
  expect(texts.length).toBeGreaterThan(15)
  await expect.poll(() => compressed.frames.length).toBe(texts.length)
  expect(compressed.frames.every(({ isBinary }) => isBinary)).toBe(true)
  expect(plain.frames.some(({ isBinary }) => isBinary)).toBe(false)
  expect(compressed.frames.map(({ data }) => brotliDecompressSync(data).toString('utf8'))).toEqual(texts)
})

test('the node is asked for it only while somebody listens, once for all', async () => {
  const endpoint = new FakeEndpoint({ eth_subscribe: () => '0x1' })
  const { port } = await serve(endpoint)
  expect(endpoint.subscribers).toBe(0)
  const clients = [await listen(port), await listen(port), await listen(port, '/ws?brotli')]
  expect(endpoint.subscribers).toBe(1)
  expect(endpoint.received).toHaveLength(1)
  for (const { socket } of clients) socket.close()
  await expect.poll(() => endpoint.subscribers).toBe(0)
  const { texts } = await listen(port)
  endpoint.notify('0x1', { index: 0 })
  expect(await texts()).toEqual(['{"index":0}'])
})

test('what clients send is ignored, and other addresses speak JSON-RPC', async () => {
  const endpoint = new FakeEndpoint({ eth_subscribe: () => '0x1', eth_chainId: () => '0x7a69' })
  const { port } = await serve(endpoint)
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
  const stream = await listen(port)
  stream.socket.send(call)
  for (const path of ['/', '/wss', '/ws/', '/a/ws', '/?x=/ws']) {
    const { socket, frames } = await listen(port, path)
    socket.send(call)
    await expect.poll(() => frames.length, { message: path }).toBe(1)
  }
  expect(await stream.texts()).toEqual([])
})

test('without the option its path is one of JSON-RPC', async () => {
  const endpoint = new FakeEndpoint({ eth_chainId: () => '0x7a69' })
  const server = await startServer(endpoint, { host: '127.0.0.1', port: 0, log: () => {} })
  closers.push(() => server.close())
  const { socket, frames } = await listen(server.port)
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }))
  await expect.poll(() => frames.length).toBe(1)
})

test('a page of another origin is refused, unless it is allowed', async () => {
  const endpoint = new FakeEndpoint({ eth_subscribe: () => '0x1' })
  const { port } = await serve(endpoint, { allowOrigins: ['https://app.example'] })
  const [, refused] = (await once(
    dial(port, '/ws', { Origin: 'https://evil.example' }).on('error', () => {}),
    'unexpected-response',
  )) as [unknown, IncomingMessage]
  expect(refused.statusCode).toBe(403)
  const rebound = dial(port, '/ws', { Host: 'evil.example' }).on('error', () => {})
  const [, wrongHost] = (await once(rebound, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(wrongHost.statusCode).toBe(403)
  expect(endpoint.subscribers).toBe(0)
  await once(dial(port, '/ws', { Origin: 'https://app.example' }), 'open')
})

test('who does not read is closed with 1013, and the others go on', async () => {
  const endpoint = new FakeEndpoint({ eth_subscribe: () => '0x1' })
  const { port } = await serve(endpoint, { limits: { bufferedBytes: 500_000, pushedBytes: 100_000_000 } })
  const slow = await listen(port)
  slow.socket.pause()
  const event = 'x'.repeat(100_000)
  const closed = once(slow.socket, 'close')
  // Ends the loop: with the slow client the only one, its end is that of the subscription.
  for (let sent = 0; endpoint.subscribers > 0 && sent < 1_000; sent++) {
    endpoint.notify('0x1', event)
    if (sent % 10 === 0) await new Promise(setImmediate)
  }
  expect(endpoint.subscribers).toBe(0)
  slow.socket.resume()
  expect((await closed)[0]).toBe(1013)
  const quick = await listen(port)
  endpoint.notify('0x1', 'y')
  expect(await quick.texts()).toEqual(['"y"'])
})

test('those who want more compressed than the server can are cut off; plain ones go on', async () => {
  const endpoint = new FakeEndpoint({ eth_subscribe: () => '0x1' })
  const { port } = await serve(endpoint)
  const plain = await listen(port)
  const compressed = await listen(port, '/ws?brotli')
  const closed = once(compressed.socket, 'close')
  for (let i = 0; i < 101; i++) endpoint.notify('0x1', i)
  await closed
  expect(await plain.texts()).toHaveLength(101)
})

test('streams count among the WebSockets of the server', async () => {
  const endpoint = new FakeEndpoint({ eth_subscribe: () => '0x1' })
  const { port } = await serve(endpoint, { limits: { webSockets: 2 } })
  await listen(port)
  await listen(port, '/')
  const third = dial(port).on('error', () => {})
  const [, refused] = (await once(third, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(refused.statusCode).toBe(503)
})

test('a chain that refuses the subscription ends the stream, and the next client asks again', async () => {
  let refuses = true
  const endpoint = new FakeEndpoint({
    eth_subscribe: () => (refuses ? { error: { code: -32_000, message: 'no' } } : '0x1'),
  })
  const { port } = await serve(endpoint)
  await once(
    dial(port).on('error', () => {}),
    'close',
  )
  expect(endpoint.subscribers).toBe(0)
  refuses = false
  await listen(port)
  expect(endpoint.subscribers).toBe(1)
})

const server = serverOfEachTest()

test('each of several chains has its stream, and one that is made on demand ends with its chain', async () => {
  await server.start('--chains', 'l1=1,base=8453', '--pool', '--flashblocks', '/ws')
  expect(server.printed).toContain(`Flashblocks: ws://127.0.0.1:${server.port}/ws`)
  for (const path of ['/ws', '/base/ws', '/8453/ws', '/pool/x/ws', '/pool/x/base/ws']) {
    const { texts, socket } = await listen(server.port, path)
    await expect
      .poll(
        async () => {
          await server.clock.advance(200)
          return (await texts()).length
        },
        { message: path },
      )
      .toBeGreaterThan(0)
    if (path !== '/pool/x/ws') continue
    const closed = once(socket, 'close')
    await fetch(`http://127.0.0.1:${server.port}/pool/x`, { method: 'DELETE' })
    await closed
  }
})
