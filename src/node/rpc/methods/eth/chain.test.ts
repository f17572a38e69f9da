import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { hexToBytes } from '#primitives/hex.ts'
import { createTestNode } from '#testing/node/test-node.ts'

test('the node answers the calls that tools make at the start', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  expect(await request('eth_syncing')).toBe(false)
  expect(await request('net_listening')).toBe(true)
  expect(await request('net_peerCount')).toBe('0x0')
  expect(await request('eth_blobBaseFee')).toBe('0x1')
  expect(await request('web3_sha3', ['0x68656c6c6f20776f726c64'])).toBe(
    '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad',
  )
})

test('the base fee and the coinbase are those of the live block', async () => {
  const coinbase = `0x${'c0'.repeat(20)}` as const
  const { request } = await createTestNode({ mode: 'manual', coinbase, partialsPerBlock: 1 })
  await request('devnet_tick', [3])
  const live = await request('eth_getBlockByNumber', ['pending', false])
  expect(live?.baseFeePerGas).not.toBe((await request('eth_getBlockByNumber', ['latest', false]))?.baseFeePerGas)
  expect(await request('eth_baseFee')).toBe(live?.baseFeePerGas)
  expect(await request('eth_coinbase')).toBe(coinbase)
})

test('the capabilities name the sealed head, and block 0 as the oldest for all data', async () => {
  const { request } = await createTestNode({ mode: 'manual', partialsPerBlock: 1 })
  await request('devnet_tick', [3])
  const { head, ...kinds } = await request('eth_capabilities')
  expect(head).toEqual({ number: '0x3', hash: (await request('eth_getBlockByNumber', ['0x3', false]))?.hash })
  expect(Object.keys(kinds).toSorted()).toEqual(['blocks', 'logs', 'receipts', 'state', 'stateproofs', 'tx'])
  for (const kind of Object.values(kinds)) expect(kind).toEqual({ disabled: false, oldestBlock: '0x0' })
})

test('the modules are the namespaces of all methods', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const modules = await request('rpc_modules')
  expect(modules).toMatchObject(
    Object.fromEntries(
      ['chain', 'debug', 'devnet', 'eth', 'net', 'rpc', 'txpool', 'web3'].map((name) => [name, '1.0']),
    ),
  )
  // A method without a namespace would show up here.
  for (const name of Object.keys(modules)) expect(name).toMatch(/^[a-z0-9]+$/)
})

test('the configuration names the fork of the chain, its precompiles and its system contracts', async () => {
  const { request } = await createTestNode({ mode: 'manual', chainId: 7 })
  const { current, next, last } = await request('eth_config')
  const { hash } = (await request('eth_getBlockByNumber', ['0x0', false])) ?? {}
  const forkId = `0x${crc32(hexToBytes(hash ?? '0x'))
    .toString(16)
    .padStart(8, '0')}`
  expect([next, last]).toEqual([null, null])
  expect(current).toMatchObject({ activationTime: 0, chainId: '0x7', forkId })
  expect(current.blobSchedule).toEqual({ baseFeeUpdateFraction: 5_007_716, max: 0, target: 0 })
  for (const address of Object.values(current.systemContracts)) {
    expect((await request('eth_getCode', [address])).length).toBeGreaterThan(100)
  }
  expect(Object.keys(current.precompiles)).toHaveLength(18)
})

test('every precompile of the configuration exists: calling it costs gas that plain accounts do not', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const { current } = await request('eth_config')
  const plain = await gasOf(request, `0x${'0'.repeat(37)}999`)
  for (const [name, address] of Object.entries(current.precompiles)) {
    expect(await gasOf(request, address), name).not.toBe(plain)
  }
})

/** Gas estimate of a call without data, or the error. */
async function gasOf(request: Awaited<ReturnType<typeof createTestNode>>['request'], to: string): Promise<string> {
  try {
    return await request('eth_estimateGas', [{ to }])
  } catch (error) {
    return String(error)
  }
}
