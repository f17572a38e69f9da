import { expect, test } from 'vitest'
import { MemoryJournal } from '#node/storage/memory-journal.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'

test('the status has the chain’s options and its current state', async () => {
  const { request } = await createTestNode({
    mode: 'manual',
    seed: 3,
    chainId: 99,
    partialMs: 100,
    partialsPerBlock: 5,
  })
  await request('devnet_tick', [7])
  const head = await request('eth_getBlockByNumber', ['latest', false])
  const genesisMs = Number((await request('eth_getBlockByNumber', ['0x0', false]))?.timestamp) * 1000
  expect(await request('devnet_status')).toEqual({
    clientVersion: await request('web3_clientVersion'),
    chainId: '0x63',
    seed: 3,
    mode: 'manual',
    options: { seed: 3, chainId: 99, partialMs: 100, partialsPerBlock: 5, mode: 'manual' },
    paused: true,
    automine: false,
    speed: 1,
    partialMs: 100,
    partialsPerBlock: 5,
    chainTimeMs: genesisMs + 700,
    head: { number: '0x1', hash: head?.hash },
    live: {
      number: '0x2',
      index: 2,
      sealsAtMs: genesisMs + 1_000,
      nextTickAtMs: genesisMs + 800,
      transactionCount: 0,
      transactionsByPartial: [0, 0, 0],
      gasUsed: '0x0',
      gasLimit: '0x17d78400',
    },
    pool: { pending: 0, queued: 0 },
    faults: { stalledTicks: 0, sealDelayMs: 0, failNext: [], withdrawal: { planned: null, latest: null } },
    accounts: DEV_KEYS.map(({ address }) => address),
  })
})

test('the status has the options of a stored chain, whatever options its next node got', async () => {
  const journal = new MemoryJournal()
  const asked = { mode: 'manual', gasLimit: 30_000_000, minBaseFee: 2_000_000_000 } as const
  const first = await createTestNode(asked, { journal })
  await first.request('devnet_tick', [12])
  const options = { ...asked, baseFee: 2_000_000_000 }
  expect(await first.request('devnet_status')).toMatchObject({ options })
  await first.node.close()
  const second = await createTestNode({}, { journal: journal.reopen() })
  expect((await second.request('devnet_status')).options).toEqual(options)
})

test('the status of a chain with default options names none', async () => {
  const { request } = await createTestNode()
  expect((await request('devnet_status')).options).toEqual({})
})

test('the status counts the pool and the live block', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('eth_sendRawTransaction', [await signTransfer(1, 3)])
  expect(await request('devnet_status')).toMatchObject({ pool: { pending: 1, queued: 1 } })
  await request('devnet_tick')
  expect(await request('devnet_status')).toMatchObject({
    pool: { pending: 0, queued: 1 },
    live: { transactionCount: 1, transactionsByPartial: [0, 1], gasUsed: '0x5208' },
  })
})

test('the faucet gives 100 ETH by default, and never enough for a balance to overflow', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const address = `0x${'31'.repeat(20)}`
  expect(await request('devnet_faucet', [address])).toBe('0x56bc75e2d63100000')
  expect(await request('devnet_faucet', [address, '0x1'])).toBe('0x56bc75e2d63100001')
  await expect(request('devnet_faucet', [address, `0x${'f'.repeat(64)}`])).rejects.toMatchObject({
    error: { code: -32602 },
  })
})

test("the node's name and version", async () => {
  const { request } = await createTestNode({ mode: 'manual', chainId: 99 })
  expect(await request('web3_clientVersion')).toMatch(/^Blinknet\/v\d+\.\d+\.\d+$/)
  expect(await request('net_version')).toBe('99')
  expect(await request('eth_chainId')).toBe('0x63')
  expect(await request('eth_accounts')).toEqual(DEV_KEYS.map(({ address }) => address))
})

test('a block’s partial blocks are told while it is pending, after its seal, and by the node that restores it', async () => {
  const journal = new MemoryJournal()
  const { request, node } = await createTestNode({ mode: 'manual' }, { journal })
  const send = async (nonce: number) => request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
  expect(await request('devnet_getPartialBlocks', ['pending'])).toMatchObject({ transactionsByPartial: [0] })
  await send(0)
  await request('devnet_tick', [2])
  await send(1)
  await send(2)
  await request('devnet_tick', [2])
  expect(await request('devnet_getPartialBlocks', ['pending'])).toMatchObject({
    number: '0x1',
    transactionsByPartial: [0, 1, 0, 2, 0],
  })
  await request('devnet_seal')
  const sealed = await request('devnet_getPartialBlocks', ['0x1'])
  expect(sealed).toMatchObject({ number: '0x1', transactionsByPartial: [0, 1, 0, 2] })
  expect(await request('devnet_getPartialBlocks', ['0x7'])).toBeNull()
  await node.close()
  const next = await createTestNode({}, { journal: journal.reopen() })
  expect(await next.request('devnet_getPartialBlocks', [{ blockHash: sealed?.hash as `0x${string}` }])).toEqual(sealed)
})
