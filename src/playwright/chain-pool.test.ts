import { encodeEventTopics } from 'viem'
import { afterEach, expect, test } from 'vitest'
import type { Chain } from '#library/chain.ts'
import type { Address } from '#primitives/hex.ts'
import { ChainPool, type ChainSetOptions, MAX_CHAINS, type Preparation } from './chain-pool.ts'
import { routesOf } from './routing.ts'
import { testChain } from './test-chain.ts'
import { testChains } from './test-chains.ts'

const PINGS = [{ type: 'event', name: 'Ping', inputs: [] }] as const
const STRANGER: Address = `0x${'aa'.repeat(20)}`

const pools: ChainPool[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))

function newPool(): ChainPool {
  const pool = new ChainPool()
  pools.push(pool)
  return pool
}

const many = (count: number): ChainSetOptions =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`chain${i}`, { chainId: i + 1 }]))

test.each<[options: object, why: string]>([
  [{}, 'chains names no chain'],
  [many(MAX_CHAINS + 1), 'a test has at most 16 chains, not 17'],
  [{ tick: {} }, 'a chain cannot be named "tick"'],
  [JSON.parse('{"then":{}}') as object, 'a chain cannot be named "then"'],
  [{ toString: {} }, 'a chain cannot be named "toString"'],
  [{ hasOwnProperty: {} }, 'a chain cannot be named "hasOwnProperty"'],
  [JSON.parse('{"__proto__":{}}') as object, 'a chain cannot be named "__proto__"'],
  [{ '': {} }, 'a chain cannot be named ""'],
  [{ 'a b': {} }, 'a chain cannot be named "a b"'],
  [{ ['x'.repeat(65)]: {} }, 'a chain cannot be named "xxx'],
  [{ one: {}, two: {} }, 'the chains one and two have the same id, 31337'],
  [{ one: { chainId: 1 }, two: { partialMs: 1 } }, 'partialMs'],
  [{ one: null }, ''],
])('chains that make no sense are refused, %o', async (options, why) => {
  await expect(newPool().get(options as ChainSetOptions)).rejects.toThrow(why === '' ? /./ : why)
})

test('equal options give the same chains, other options or another preparation give others', async () => {
  const pool = newPool()
  const options = { one: { chainId: 1 }, two: { chainId: 2 } }
  const run = () => {}
  const first = await pool.get(options)
  expect(first.map(({ name, chainId }) => [name, chainId])).toEqual([
    ['one', '0x1'],
    ['two', '0x2'],
  ])
  expect(await pool.get({ ...options })).toBe(first)
  expect(await pool.get({ one: { chainId: 1 }, two: { chainId: 3 } })).not.toBe(first)
  const prepared = await pool.get(options, { run })
  expect(prepared).not.toBe(first)
  expect(await pool.get(options, { run })).toBe(prepared)
  expect(await pool.get(options, { run: () => {} })).not.toBe(prepared)
})

test('accounts are funded as the options of the test’s chain say, and again in each test', async () => {
  const pool = newPool()
  const options = { chain: { fundAccounts: { [STRANGER]: '1000' } } }
  for (let tests = 0; tests < 2; tests++) {
    const [chain] = await pool.get(options)
    const balance = () => chain?.own.request({ method: 'eth_getBalance', params: [STRANGER, 'latest'] })
    expect(await balance()).toBe('0x3e8')
    await chain?.own.request({ method: 'anvil_setBalance', params: [STRANGER, '0x0'] })
    expect(await balance()).toBe('0x0')
  }
})

test('a chain begins where its preparation left it, whatever a test has done to it', async () => {
  const pool = newPool()
  let runs = 0
  const preparation: Preparation = {
    async run({ chain, chains }) {
      runs++
      await chain.request({ method: 'anvil_setBalance', params: [STRANGER, '0x7'] })
      await chains.get('two').request({ method: 'evm_mine' })
    },
  }
  const options = { one: { chainId: 1 }, two: { chainId: 2, clock: 'auto' as const } }
  const state = async () => {
    const chains = await pool.get(options, preparation)
    return Promise.all(
      chains.map(async ({ own }) => {
        const { head, mode, paused, automine, speed } = await own.request({ method: 'devnet_status' })
        const balance = await own.request({ method: 'eth_getBalance', params: [STRANGER, 'latest'] })
        return { head, mode, paused, automine, speed, balance, accounts: await own.request({ method: 'eth_accounts' }) }
      }),
    )
  }
  const [one] = await state()
  expect(one).toMatchObject({ mode: 'manual', paused: true, automine: false, balance: '0x7' })
  const error = { code: -32000, message: 'planned' }
  const spoils: readonly ((chain: Chain) => Promise<unknown>)[] = [
    (chain) => chain.request({ method: 'anvil_setBalance', params: [STRANGER, '0x9'] }),
    (chain) => chain.request({ method: 'devnet_setSpeed', params: [50] }),
    (chain) => chain.request({ method: 'evm_setAutomine', params: [true] }),
    (chain) => chain.request({ method: 'anvil_impersonateAccount', params: [STRANGER] }),
    (chain) => chain.request({ method: 'devnet_resume' }),
    (chain) =>
      chain.request({ method: 'devnet_failNext', params: [{ methods: ['devnet_status'], error, times: 100 }] }),
  ]
  for (const [i, spoil] of spoils.entries()) {
    const [first] = await pool.get(options, preparation)
    if (first) await spoil(first.own)
    expect((await state())[0], `spoil ${i}`).toEqual(one)
  }
  expect(runs).toBe(1)
  // Behind its beginning it is another chain.
  const [first] = await pool.get(options, preparation)
  await first?.own.request({ method: 'devnet_reset' })
  expect((await state())[0]).toMatchObject({ balance: '0x7', head: { number: one?.head.number } })
  expect(runs).toBe(2)
})

test('a preparation that fails says why, again and again, and leaves no chain running', async () => {
  const pool = newPool()
  let url = ''
  const preparation: Preparation = {
    run({ chain }) {
      ;({ url } = chain)
      throw new Error('no coffee beans')
    },
  }
  for (let round = 0; round < 2; round++) {
    await expect(pool.get({ one: {} }, preparation)).rejects.toThrow(
      'the chains could not be prepared: no coffee beans\nmend what test.use({ prepare })',
    )
  }
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  await expect(pool.get({ one: {} }, { run: 'deploy' as never })).rejects.toThrow('prepare takes a function')
})

test('addresses are those of their chains; what is none, or names another chain, is refused', async () => {
  const pooled = await newPool().get({ one: { chainId: 1 }, two: { chainId: 2 } })
  const chains = pooled.map(({ name, open }) => ({ name, dapp: open.node }))
  const routes = routesOf(
    { 'http://localhost:1': 'one', 'https://x.example/rpc': 'two', 'http://localhost:1/b': 'two' },
    chains,
  )
  const nameAt = (url: string) => routes.nameAt(url)
  expect(
    ['http://localhost:1/?k', 'ws://localhost:1', 'http://localhost:1/b/c', 'wss://x.example/rpc?k'].map(nameAt),
  ).toEqual(['one', 'one', 'two', 'two'])
  const strange = ['https://localhost:1', 'http://localhost:2', 'https://x.example/', 'javascript:1']
  expect([...strange, 'https://x.example/rpc2', 'blob:http://localhost:1/b'].map(nameAt)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  )
  expect(nameAt('http://localhost:1/bc')).toBe('one')
  expect(routesOf(['http://localhost:1'], chains).nameAt('http://localhost:1')).toBe('one')
  expect(() => routesOf({ 'http://localhost:1': 'three' }, chains)).toThrow('this test has one, two')
  expect(() => routesOf(['localhost:8545'], chains)).toThrow('rpcUrls takes addresses of HTTP or WebSocket')
  expect(() =>
    routesOf(
      Array.from({ length: 101 }, () => 'http://localhost:1'),
      chains,
    ),
  ).toThrow('at most 100')
})

test('a chain has a limited number of named snapshots', async () => {
  const [pooled] = await newPool().get({ one: {} })
  if (!pooled) throw new Error('no chain')
  const { own, server, snapshots } = pooled
  const chain = testChain(own, { url: server.url, snapshots, settled: async () => {} })
  for (let i = 0; i < 100; i++) await chain.snapshot(`s${i}`)
  await expect(chain.snapshot('one more')).rejects.toThrow('a chain has at most 100 snapshots with names')
  await chain.snapshot('s5')
  await chain.revert('s5')
  await chain.revert('s99')
})

test('a bridge takes messages from chain to chain, by their names', async () => {
  const pooled = await newPool().get({ here: { chainId: 1 }, there: { chainId: 2 } })
  const named = pooled.map(({ name, own, server, snapshots }) => {
    const settled = async () => {}
    return { name, raw: own, chain: testChain(own, { url: server.url, snapshots, settled }) }
  })
  const chains = testChains(named, async () => {})
  const topic = encodeEventTopics({ abi: PINGS, eventName: 'Ping' })[0] ?? '0x'
  const emitter: Address = `0x${'e1'.repeat(20)}`
  await chains.get('here').request({ method: 'anvil_setCode', params: [emitter, `0x7f${topic.slice(2)}5f5fa100`] })
  const pings = chains.bridge({
    from: 'here',
    event: { address: emitter, abi: PINGS, name: 'Ping' },
    to: 'there',
    call: () => ({ to: STRANGER, value: 5n, from: emitter }),
  })
  const [from = STRANGER] = await chains.get('here').request({ method: 'eth_accounts' })
  await chains.get('here').request({ method: 'eth_sendTransaction', params: [{ from, to: emitter }] })
  await chains.seal()
  expect(await pings.waiting()).toHaveLength(1)
  await pings.deliver()
  await chains.tick()
  const received = await chains.get('there').request({ method: 'eth_getBalance', params: [STRANGER, 'pending'] })
  expect(received).toBe('0x5')
  expect(() =>
    chains.bridge({
      from: 'nowhere',
      to: 'there',
      event: { address: emitter, abi: PINGS, name: 'Ping' },
      call: () => ({ to: STRANGER, from: STRANGER }),
    }),
  ).toThrow('this test has no chain "nowhere": it has here, there')
})

test('the same steps of one clock give the same blocks', async () => {
  const options = { slow: { chainId: 1, partialMs: 500, partialsPerBlock: 2 }, fast: { chainId: 2, partialMs: 200 } }
  const heads = []
  for (let run = 0; run < 2; run++) {
    const pooled = await newPool().get(options)
    const named = pooled.map(({ name, own, server, snapshots }) => {
      const settled = async () => {}
      return { name, raw: own, chain: testChain(own, { url: server.url, snapshots, settled }) }
    })
    const chains = testChains(named, async () => {})
    const [from = STRANGER] = await chains.get('fast').request({ method: 'eth_accounts' })
    for (const name of chains.names) {
      await chains.get(name).request({ method: 'eth_sendTransaction', params: [{ from, to: STRANGER, value: '0x1' }] })
      await chains.tick(7)
    }
    await chains.seal()
    heads.push(await Promise.all(pooled.map(async ({ own }) => (await own.request({ method: 'devnet_status' })).head)))
  }
  expect(heads[0]).toEqual(heads[1])
  expect(heads[0]?.every(({ number }) => Number(number) > 0)).toBe(true)
})

test('a chain with an entrypoint has it in each test, whatever the one before has done', async () => {
  const options: ChainSetOptions = { l1: { chainId: 1, entrypoint: '0.7' }, l2: { chainId: 2 } }
  const pool = newPool()
  const codes = async () => {
    const chains = await pool.get(options)
    const params: [Address, 'latest'] = ['0x0000000071727De22E5E9d8BAf0edAc6f37da032', 'latest']
    const found = await Promise.all(chains.map(({ own }) => own.request({ method: 'eth_getCode', params })))
    await chains[0]?.own.request({ method: 'anvil_setCode', params: [params[0], '0x'] })
    return found.map((code) => code.length)
  }
  expect(await codes()).toEqual([2 + 2 * 16_035, 2])
  expect(await codes()).toEqual([2 + 2 * 16_035, 2])
})
