import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Address } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { type Chain, type ChainOptions, createChain } from './chain.ts'

const open: Chain[] = []
afterEach(() => Promise.all(open.splice(0).map((chain) => chain.close())))

async function start(options: ChainOptions = {}): Promise<Chain> {
  const chain = await createChain({ clock: 'manual', ...options })
  open.push(chain)
  return chain
}

const [PAYER, PAYEE] = DEV_KEYS.map(({ address }) => address) as [Address, Address]
const pay = (chain: Chain) =>
  chain.request({ method: 'eth_sendTransaction', params: [{ from: PAYER, to: PAYEE, value: '0x1' }] })

test('a payment is pre-confirmed by a tick and sealed by a seal', async () => {
  const chain = await start()
  const hash = await pay(chain)
  await chain.tick()
  expect(await chain.waitFor(hash, 'preconfirmed')).toMatchObject({ status: '0x1', blockHash: `0x${'0'.repeat(64)}` })
  await chain.seal()
  expect(await chain.waitFor(hash, 'sealed')).toMatchObject({ status: '0x1', blockNumber: '0x1' })
})

test('subscriptions arrive as EIP-1193 has them, in order', async () => {
  const chain = await start()
  const heads: unknown[] = []
  chain.on('message', ({ data }) => heads.push('result' in data && (data.result as { number: string }).number))
  await chain.request({ method: 'eth_subscribe', params: ['newHeads'] })
  await chain.seal()
  await chain.seal()
  expect(heads).toEqual(['0x1', '0x2'])
})

test('two chains of one process know nothing of each other', async () => {
  const [one, other] = [await start({ chainId: 1 }), await start({ chainId: 2 })]
  await one.seal()
  expect(await other.request({ method: 'eth_blockNumber' })).toBe('0x0')
  expect(await Promise.all([one, other].map((chain) => chain.request({ method: 'eth_chainId' })))).toEqual([
    '0x1',
    '0x2',
  ])
})

test('with the reading preconfirmed, latest is the state of the live block', async () => {
  const chain = await start({ latest: 'preconfirmed' })
  await pay(chain)
  await chain.tick()
  expect(await chain.request({ method: 'eth_getTransactionCount', params: [PAYER, 'latest'] })).toBe('0x1')
})

test('it listens on several ports at once, each until its server or the chain is closed', async () => {
  const chain = await start()
  const servers = [await chain.listen(), await chain.listen({ latest: 'preconfirmed', ui: false })]
  const ask = async (url: string) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    return (await (await fetch(url, { method: 'POST', headers, body })).json()) as unknown
  }
  for (const { url } of servers) expect(await ask(url)).toMatchObject({ result: '0x7a69' })
  await servers[0]?.close()
  await expect(ask(servers[0]?.url ?? '')).rejects.toThrow('fetch failed')
  await chain.close()
  await expect(ask(servers[1]?.url ?? '')).rejects.toThrow('fetch failed')
  await expect(chain.listen()).rejects.toThrow('the chain is closed')
})

test('it listens with the Flashblocks stream at a path', async () => {
  const chain = await start()
  const { port } = await chain.listen({ flashblocks: '/ws' })
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  let first = ''
  socket.once('message', (data) => {
    first = (data as Buffer).toString('utf8')
  })
  await once(socket, 'open')
  await expect
    .poll(async () => {
      await chain.tick()
      return first
    })
    .toContain('"payload_id":')
  socket.close()
})

test('calls of a closed chain end with code 4900, and its listeners hear that it is gone', async () => {
  const chain = await start()
  const heard: number[] = []
  chain.on('disconnect', ({ code }) => heard.push(code))
  await Promise.all([chain.close(), chain.close()])
  expect(heard).toEqual([4900])
  await expect(chain.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
})

test('a chain in a directory continues where it was', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'blinknet-library-'))
  try {
    const first = await start({ data })
    const hash = await pay(first)
    await first.seal()
    await first.close()
    const second = await start({ data })
    expect(await second.request({ method: 'eth_getTransactionReceipt', params: [hash] })).toMatchObject({
      status: '0x1',
    })
    await expect(createChain({ data })).rejects.toThrow(/open in/)
    await second.close()
    await expect(createChain({ data, chainId: 5 })).rejects.toThrow(/chain/)
  } finally {
    await rm(data, { recursive: true })
  }
})

test('a chain begins with the file of another one, blocks and receipts included, or with the accounts of a state', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'blinknet-library-'))
  try {
    const first = await start()
    const hash = await pay(first)
    await first.seal()
    const file = path.join(folder, 'shop.blinknet')
    await writeFile(file, await first.exportChain())
    const receipt = await first.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    const second = await start({ loadState: file })
    expect(await second.request({ method: 'eth_getTransactionReceipt', params: [hash] })).toEqual(receipt)
    await second.seal()
    expect(await second.request({ method: 'eth_blockNumber' })).toBe('0x2')

    const state = path.join(folder, 'state.json')
    await writeFile(state, JSON.stringify(await first.request({ method: 'devnet_exportState' })))
    const third = await start({ loadState: state })
    const balance = (chain: Chain) => chain.request({ method: 'eth_getBalance', params: [PAYEE, 'latest'] })
    expect(await balance(third)).toBe(await balance(first))

    const fourth = await start({ loadState: state, fundAccounts: { [PAYEE]: '5' } })
    expect(await balance(fourth)).toBe('0x5')
    expect(await balance(await start({ fundAccounts: { [PAYEE]: 6 } }))).toBe('0x6')

    await writeFile(path.join(folder, 'broken.blinknet'), (await first.exportChain()).subarray(0, 200))
    await writeFile(path.join(folder, 'accounts.json'), '{"accounts":{"0x12":{}}}')
    for (const [name, why] of [
      ['missing.blinknet', 'there is no such file'],
      ['broken.blinknet', 'cannot be loaded'],
      ['accounts.json', 'cannot be loaded'],
    ] as const) {
      const failure: unknown = await createChain({ loadState: path.join(folder, name) }).catch(
        (error: unknown) => error,
      )
      expect([name, failure instanceof Error && failure.message]).toEqual([name, expect.stringContaining(why)])
    }
    await expect(createChain({ loadState: file, chainId: 5 })).rejects.toThrow('cannot be loaded')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a chain whose directory another process takes over is disconnected, says by whom, and stores nothing', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'blinknet-library-'))
  try {
    const logged: string[] = []
    const chain = await start({ data, log: (_level, message) => logged.push(message) })
    await pay(chain)
    const lost = new Promise<Error>((resolve) => void chain.on('disconnect', resolve))
    const other = {
      token: 'other',
      pid: 42,
      place: 'host boot pid',
      startedAt: null,
      takenAt: '2026-01-02T03:04:05.000Z',
    }
    await writeFile(path.join(data, 'blinknet.lock'), JSON.stringify(other))
    const refused = pay(chain)
    await expect(refused).rejects.toThrow('not stored')
    await expect(refused).rejects.toMatchObject({ data: { journal: 'taken-over' } })
    const who = 'taken over by process 42 of another machine or container (host), at 2026-01-02T03:04:05.000Z'
    expect((await lost).message).toContain(who)
    expect(logged).toEqual([expect.stringContaining(who)])
    await chain.close()
    expect(JSON.parse(await readFile(path.join(data, 'blinknet.lock'), 'utf8'))).toEqual(other)
  } finally {
    await rm(data, { recursive: true })
  }
})

test('options that make no sense are refused', async () => {
  await expect(createChain({ partialMs: 1 })).rejects.toThrow('partialMs')
})

test('a chain continues another one, starts over with it, and is kept in a directory with what was fetched', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'blinknet-library-'))
  try {
    const original = await start({ chainId: 77 })
    await original.request({ method: 'anvil_setBalance', params: [PAYEE, '0x5'] })
    await original.seal()
    const { url } = await original.listen({ ui: false })
    const balance = (chain: Chain) => chain.request({ method: 'eth_getBalance', params: [PAYEE, 'latest'] })

    const newest = await start({ fork: { url, chainId: 77, headers: { 'X-Key': 'mine' } } })
    expect(await newest.request({ method: 'eth_chainId' })).toBe('0x4d')
    const funded = await balance(newest)
    await pay(newest)
    await newest.seal()
    expect(BigInt(await balance(newest))).toBe(BigInt(funded) + 1n)
    // As the fixtures do before each test.
    await newest.request({ method: 'devnet_reset' })
    expect(await balance(newest)).toBe(funded)

    const kept = await start({ data, fork: { url, blockNumber: 1 }, accounts: [] })
    expect(await balance(kept)).toBe('0x5')
    await kept.close()
    await original.close()
    const again = await start({ data })
    expect(await balance(again)).toBe('0x5')
    await expect(again.request({ method: 'eth_getBalance', params: [PAYER, '0x0'] })).rejects.toThrow('endpoint')
  } finally {
    await rm(data, { recursive: true })
  }
})

test('options of a fork that make no sense are refused, without its address, which may hold a key', async () => {
  const url = 'http://127.0.0.1:1/key'
  for (const [fork, message] of [
    [{ url: 'ws://key' }, 'fork.url must be the address of a JSON-RPC endpoint, http: or https:'],
    [{ url, blockNumber: 0.5 }, 'fork.blockNumber must be a whole number'],
    [{ url, timeoutMs: 0 }, 'fork.timeoutMs must be a whole number from 1 to 600000, not 0'],
    [{ url, headers: { 'a b': '' } }, 'fork.headers must be names and values of HTTP headers'],
    [{ url, block: 1 }, 'fork has no option block'],
    [{ url, retries: 0 }, '127.0.0.1:1 does not answer'],
  ] as const) {
    const failure: unknown = await createChain({ fork: fork as never }).catch((error: unknown) => error)
    expect((failure as Error).message).toContain(message)
    expect((failure as Error).message).not.toContain('key')
  }
})

test('a chain that is closed while it begins to listen does not listen', async () => {
  const chain = await start()
  const { port, close } = await chain.listen()
  await close()
  const listening = chain.listen({ port })
  await chain.close()
  await expect(listening).rejects.toThrow('the chain is closed')
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
})

test('a port that is taken or is none, and an unknown reading of latest, are refused', async () => {
  const chain = await start()
  const { port, close } = await chain.listen()
  await expect(chain.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  for (const bad of [-1, 65_536, 1.5, Number.NaN, 'pipe']) {
    await expect(chain.listen({ port: bad as number })).rejects.toThrow('port must be a whole number from 0 to 65535')
  }
  const latest = 'newest' as never
  await expect(createChain({ latest })).rejects.toThrow('latest must be "sealed" or "preconfirmed"')
  await expect(chain.listen({ latest })).rejects.toThrow('latest must be "sealed" or "preconfirmed"')
  await Promise.all([close(), close()])
})

test.each<[wrong: unknown, message: string]>([
  [null, 'a chain takes an object of options'],
  [{ data: '' }, 'data must be the name of a directory'],
  [{ data: 5 }, 'data must be the name of a directory'],
  [{ loadState: '' }, 'loadState must be the name of a file'],
  [{ loadState: 5 }, 'loadState must be the name of a file'],
  [{ loadState: 'a', data: 'b' }, 'data and loadState contradict each other'],
  [{ log: 'info' }, 'log must be a function'],
  [{ gasLimit: 30_000_000n }, 'gasLimit must be a whole number from 5000 to 1099511627776, not 30000000n'],
  [{ accounts: [{ balance: 5n }] }, 'accounts'],
])('a wrong option from JavaScript is refused by its name, %o', async (wrong, message) => {
  await expect(createChain(wrong as ChainOptions)).rejects.toThrow(message)
})

test.each<[wrong: object, message: string]>([
  [{ host: '' }, 'host must be a host name or an address'],
  [{ host: 5 }, 'host must be a host name or an address'],
  [{ port: '8545' }, 'port must be a whole number from 0 to 65535, not 8545'],
  [{ ui: 'no' }, 'ui must be true or false'],
  [{ allowOrigins: 'https://app.example' }, 'allowOrigins must be a list of origins'],
  [{ allowOrigins: 5 }, 'allowOrigins must be a list of origins'],
  [{ allowOrigins: ['app.example'] }, 'allowOrigins must be a list of origins'],
  [{ allowHosts: {} }, 'allowHosts must be a list of host names'],
  [{ latest: 'newest' }, 'latest must be "sealed" or "preconfirmed"'],
  [{ flashblocks: 'ws' }, 'flashblocks must be a path such as /ws'],
  [{ flashblocks: true }, 'flashblocks must be a path such as /ws'],
  [{ allowOrigin: [] }, 'listen has no option allowOrigin'],
])(
  'a chain does not listen with a wrong option, %o: an empty host was every address of the machine',
  async (wrong, message) => {
    const chain = await start()
    await expect(chain.listen(wrong)).rejects.toThrow(message)
  },
)

test('an origin is allowed however its name is written', async () => {
  const chain = await start()
  const { url } = await chain.listen({ allowOrigins: ['https://App.example/'] })
  const asked = (origin: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
    })
  expect((await asked('https://app.example')).status).toBe(200)
  expect((await asked('https://other.example')).status).toBe(403)
})

test.each(['anvil', 'hardhat'] as const)(
  'as %s, each transaction is sealed at once, also after a reset',
  async (as) => {
    const chain = await createChain({ as })
    open.push(chain)
    for (let i = 0; i < 2; i++) {
      // The sender is the first account where nobody is named.
      const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ to: PAYEE, value: '0x1' }] })
      const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
      expect(receipt).toMatchObject({ from: PAYER, blockNumber: '0x1' })
      expect(receipt?.blockHash).not.toBe(`0x${'0'.repeat(64)}`)
      await chain.request({ method: 'devnet_reset' })
    }
  },
)

test('on a manual clock a chain as anvil waits for its ticks', async () => {
  const chain = await start({ as: 'anvil' })
  const hash = await pay(chain)
  expect(await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })).toBeNull()
  await chain.seal()
  expect(await chain.waitFor(hash, 'sealed')).toMatchObject({ status: '0x1', blockNumber: '0x1' })
})

test('entrypoint puts EntryPoints into block 0, or into a block of a chain that has none', async () => {
  const address = '0x4337084d9e255ff0702461cf8895ce9e3b5ff108'
  const codeOf = (chain: Chain) => chain.request({ method: 'eth_getCode', params: [address, 'latest'] })
  const chain = await start({ entrypoint: ['0.7', '0.8'] })
  expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
  const code = await codeOf(chain)
  expect(code).not.toBe('0x')

  const folder = await mkdtemp(path.join(tmpdir(), 'blinknet-library-'))
  try {
    const without = await start()
    const file = path.join(folder, 'a.blinknet')
    await writeFile(file, await without.exportChain())
    const loaded = await start({ loadState: file, entrypoint: '0.8' })
    expect(await loaded.request({ method: 'eth_blockNumber' })).toBe('0x1')
    expect(await codeOf(loaded)).toBe(code)
    // A stored chain that has it needs no package.
    const data = path.join(folder, 'data')
    const stored = await createChain({ clock: 'manual', data, entrypoint: '0.8' })
    await stored.close()
    const again = await createChain({ data })
    expect(await codeOf(again)).toBe(code)
    await again.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([['0.5'], [7], [[]], [['0.7', null]]])('an entrypoint of %j is refused', async (entrypoint) => {
  await expect(createChain({ entrypoint } as ChainOptions)).rejects.toThrow(
    new TypeError('entrypoint must be "0.6", "0.7", "0.8", or several'),
  )
})

test('tracers in JavaScript run where jsTracers says so', async () => {
  const tracer = '{ fault() {}, result(ctx) { return toHex(ctx.to) } }'
  const ask = (chain: Chain) =>
    chain.request({ method: 'debug_traceCall', params: [{ to: PAYEE }, 'latest', { tracer, timeout: '60s' }] })
  expect(await ask(await start({ jsTracers: true }))).toBe(PAYEE.toLowerCase())
  await expect(ask(await start())).rejects.toThrow('JavaScript tracers are not supported')
  const wrong = { jsTracers: 'yes' } as unknown as ChainOptions
  await expect(createChain(wrong)).rejects.toThrow(new TypeError('jsTracers must be true or false'))
})
