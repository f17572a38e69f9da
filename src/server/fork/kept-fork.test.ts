import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { editFile, setField } from '#testing/node/persistence/chain-files.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { type ServedTestChain, serveChain } from '#testing/server/served-chain.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'

const HOLDER: Hex = `0x${'99'.repeat(20)}`
const OTHER: Hex = `0x${'98'.repeat(20)}`
const server = serverOfEachTest()
const { start, stop, rpc } = server

let original: TestNode
let served: ServedTestChain
beforeAll(async () => {
  original = await createTestNode({ mode: 'manual', chainId: 77 })
  await original.request('anvil_setBalance', [HOLDER, '0x5'])
  await original.request('anvil_setBalance', [OTHER, '0x6'])
  await original.request('evm_mine')
})
beforeEach(async () => {
  served = await serveChain(original)
})
afterEach(() => served.close())

const balance = (address: Hex) => rpc('eth_getBalance', address, 'latest')

/** Pays the holder, whose balance is fetched for that. */
async function pay(): Promise<unknown> {
  const [from] = (await rpc('eth_accounts')) as Hex[]
  const hash = await rpc('eth_sendTransaction', { from, to: HOLDER, value: '0x1' })
  await rpc('evm_mine')
  return hash
}

test('with --data a fork goes on with or without its endpoint, and fetches more where it has one', async () => {
  const fork = ['--clock', 'manual', '--fork-url', served.url, '--data', server.folder]
  await start(...fork)
  expect(server.printed).toMatch(/A fork of chain 77 at .*; its state is proven[\s\S]*The chain is kept in /)
  const hash = await pay()
  await stop()

  await start('--data', server.folder)
  expect(server.printed).toMatch(/It is a fork of chain 77, opened without its endpoint: .*--fork-url fetches more/)
  expect(server.printed).toContain('goes on after block 4')
  expect(await balance(HOLDER)).toBe('0x6')
  expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  await expect(balance(OTHER)).rejects.toThrow('was opened without its endpoint (--fork-url)')
  await stop()

  await start(...fork, '--fork-block-number', '3')
  expect(await balance(HOLDER)).toBe('0x6')
  expect(await balance(OTHER)).toBe('0x6')
  await stop()
  await expect(start(...fork, '--fork-block-number', '2')).rejects.toThrow('is a fork after block 3, not 2')
})

test('an endpoint that is gone does not keep a stored fork from opening', async () => {
  const fork = ['--clock', 'manual', '--fork-url', served.url, '--retries', '0', '--data', server.folder]
  await start(...fork)
  await pay()
  await stop()
  await served.close()
  await start(...fork)
  expect(await balance(HOLDER)).toBe('0x6')
  await expect(balance(OTHER)).rejects.toThrow('does not answer')
  served = await serveChain(original)
})

test('with --state a fork is written to a file, which opens without an endpoint, and with one fetches more', async () => {
  const file = path.join(server.folder, 'fork.blinknet')
  await start('--clock', 'manual', '--fork-url', served.url, '--state', file)
  await pay()
  await stop()

  await start('--load-state', file)
  expect(await balance(HOLDER)).toBe('0x6')
  await expect(balance(OTHER)).rejects.toThrow('without its endpoint')
  await stop()
  await start('--load-state', file, '--fork-url', served.url)
  expect(await balance(OTHER)).toBe('0x6')
  await stop()
  await server.run('open', file, '--port', '0')
  expect(await balance(HOLDER)).toBe('0x6')
  await rpc('devnet_showMoment', 0)
  expect(await rpc('eth_getBalance', HOLDER, 'latest')).toBe('0x5')
  await stop()

  const changed = editFile(await readFile(file), setField('chain', 'fork.block.timestamp', '0x1'))
  await writeFile(file, changed)
  await expect(start('--load-state', file)).rejects.toThrow(/cannot be loaded .*its header has the hash/)
})

describe('anvil_setRpcUrl', () => {
  test.each(['--data', '--state'])('gives a fork that was opened without its endpoint one (%s, 19)', async (flag) => {
    const place = path.join(server.folder, 'fork')
    await start('--clock', 'manual', '--fork-url', served.url, flag, place)
    await pay()
    await stop()
    // A chain with the same id, and another block 3.
    const split = await createTestNode({ mode: 'manual', chainId: 77 })
    await split.request('devnet_seal', [3])
    const other = await serveChain(split)

    await start(flag, place)
    await expect(balance(OTHER)).rejects.toThrow('without its endpoint')
    await expect(rpc('anvil_setRpcUrl', other.url)).rejects.toThrow(/its block is 0x[0-9a-f]{64}, not 0x/)
    for (const url of ['file:///etc/passwd', 'javascript:1', 'gopher://127.0.0.1', `http://a/${'b'.repeat(3_000)}`]) {
      await expect(rpc('anvil_setRpcUrl', url)).rejects.toThrow('begins with http:// or https://')
    }
    expect(await rpc('devnet_status')).toMatchObject({ fork: { isOffline: true } })
    expect(await rpc('anvil_setRpcUrl', served.url)).toBeNull()
    expect(await rpc('devnet_status')).not.toMatchObject({ fork: { isOffline: true } })
    expect(await balance(OTHER)).toBe('0x6')
    expect(await balance(HOLDER)).toBe('0x6')
    await other.close()
    await stop()

    await start(flag, place)
    expect(await balance(OTHER)).toBe('0x6')
  })
})

describe('anvil_reset', () => {
  test.each(['--data', '--state'])('puts another fork in the place of a kept one (%s, 19)', async (flag) => {
    const place = path.join(server.folder, 'fork')
    await start('--clock', 'manual', '--balance', '0', '--fork-url', served.url, flag, place)
    await rpc('anvil_setBalance', HOLDER, '0x9')
    await rpc('evm_mine')
    // Without another chain to fork it starts over.
    await rpc('anvil_reset')
    expect(await rpc('eth_blockNumber')).toBe('0x3')
    expect(await balance(HOLDER)).toBe('0x5')
    await rpc('anvil_reset', { forking: { blockNumber: 1 } })
    expect(await rpc('eth_blockNumber')).toBe('0x1')
    expect(await balance(OTHER)).toBe('0x0')
    await rpc('anvil_setBalance', HOLDER, '0x9')
    await rpc('evm_mine')
    await stop()

    await start(flag, place)
    expect(await rpc('devnet_status')).toMatchObject({ fork: { number: '0x1', isOffline: true } })
    expect([await balance(HOLDER), await balance(OTHER)]).toEqual(['0x9', '0x0'])
    const why = 'forking needs a jsonRpcUrl: this fork was opened without its endpoint'
    await expect(rpc('anvil_reset', { forking: { blockNumber: 2 } })).rejects.toThrow(why)
    await rpc('anvil_reset', { forking: { jsonRpcUrl: served.url, blockNumber: 2 } })
    expect([await balance(HOLDER), await balance(OTHER)]).toEqual(['0x5', '0x6'])
    await stop()
    await start(flag, place)
    expect([await balance(HOLDER), await balance(OTHER)]).toEqual(['0x5', '0x6'])
  })

  test('that fails leaves a stored fork as it is', async () => {
    await start('--clock', 'manual', '--fork-url', served.url, '--retries', '0', '--data', server.folder)
    const hash = await pay()
    await expect(rpc('anvil_reset', { forking: { blockNumber: 9_999 } })).rejects.toThrow('has no block 9999')
    await expect(rpc('anvil_reset', { forking: { jsonRpcUrl: 'http://127.0.0.1:1' } })).rejects.toThrow('not answer')
    await rpc('evm_mine')
    await stop()
    await start('--data', server.folder)
    expect(server.printed).toContain('goes on after block 5')
    expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  })
})

test('a fork does not begin with the accounts of a state in JSON, nor with a file of another chain', async () => {
  const file = path.join(server.folder, 'state')
  await writeFile(file, '{"accounts":{}}')
  const load = ['--fork-url', served.url, '--load-state', file]
  await expect(start(...load)).rejects.toThrow('a fork has its accounts from the other chain, not from JSON')
  await writeFile(file, Buffer.from(await original.request('devnet_exportChain'), 'base64'))
  await expect(start(...load)).rejects.toThrow('the stored chain is no fork')
  expect(served.requests).toEqual([])
})
