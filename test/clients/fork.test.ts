import { encodeAbiParameters, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSystemClock } from '#primitives/system-clock.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { type ServedTestChain, serveChain } from '#testing/server/served-chain.ts'
import { parseCommand } from '../../src/server/cli/cli.ts'
import { runNode } from '../../src/server/run-node.ts'
import { foundryBinary } from './support/foundry.ts'
import { nodeAt, type StartedNode, startAnvil, startBlinknet } from './support/running-node.ts'

/** Returns the sum of as many of its slots as the first word of the calldata says. */
const SUMMER = '0x5f5f5b5f35811015601757805482019150600101600256 5b505f5260205ff3'.replace(' ', '') as Hex
/** Sets the slot of the first word to the second. */
const SETTER: Hex = '0x6020355f355500'
const summer: Hex = `0x${'51'.repeat(20)}`
const setter: Hex = `0x${'52'.repeat(20)}`
const SLOTS = 500
/** Accounts, every third of them a contract. */
const HOLDERS = 3_000

const word = (value: bigint | number) => toHex(value, { size: 32 })
const pair = (one: bigint | number, other: bigint | number) =>
  encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [BigInt(one), BigInt(other)])
const holder = (i: number): Hex => `0x${keccak256(toHex(i)).slice(-40)}`
const [first] = DEV_KEYS.map(({ privateKey }) => privateKeyToAccount(privateKey)) as [Account]
type Account = ReturnType<typeof privateKeyToAccount>

/** A fork and its banner. */
interface RunningFork extends StartedNode {
  readonly printed: string
}

/** Starts a fork by the command line. */
async function startFork(url: string, ...args: readonly string[]): Promise<RunningFork> {
  let printed = ''
  const command = parseCommand(['--fork-url', url, '--port', '0', '--no-ui', '--quiet', ...args])
  if (command.kind !== 'run') throw new Error(JSON.stringify(command))
  const logged = (level: string, message: string, details?: unknown) => {
    if (level !== 'info') process.stderr.write(`the fork: ${message} ${String(details)}\n`)
  }
  const server = await runNode(command, {
    clock: createSystemClock(globalThis),
    log: logged,
    print: (text) => {
      printed += text
    },
  })
  return { ...nodeAt('Blinknet', server.port, () => server.close()), printed }
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** An endpoint in front of a chain that has no proofs. */
function withoutProofs(url: string): Promise<ServedTestChain> {
  const answer = async ({ id, method, params }: Call): Promise<unknown> => {
    if (method === 'eth_getProof') return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    return (await fetch(url, { method: 'POST', headers, body })).json()
  }
  return serveChain({
    async raw(body) {
      const calls = JSON.parse(body) as readonly Call[] | Call
      const answers = await Promise.all([calls].flat().map(answer))
      return JSON.stringify(Array.isArray(calls) ? answers : answers[0])
    },
  })
}

/** Slots of a contract, from the first one on. @param value - Of a slot. */
const slots = (count: number, value: (slot: number) => number) =>
  Object.fromEntries(Array.from({ length: count }, (_, slot) => [word(slot), word(value(slot))]))

/** Accounts, a contract that reads many slots, and one that writes. */
const ALLOC: NonNullable<NodeOptions['genesis']> = {
  [summer]: { code: SUMMER, storage: slots(SLOTS, (slot) => slot + 1) },
  [setter]: { code: SETTER, storage: slots(41, (slot) => slot + 100) },
  ...Object.fromEntries(
    Array.from({ length: HOLDERS }, (_, i) => {
      const contract = i % 3 === 0 && { code: SETTER, storage: { [word(i)]: word(1) } }
      return [holder(i), { balance: toHex(1_000 + i), ...contract }]
    }),
  ),
}

/** Populates an anvil node. */
async function populate(node: StartedNode): Promise<void> {
  const calls = Object.entries(ALLOC).flatMap(([address, { balance, code, storage = {} }]) => [
    ...(balance === undefined ? [] : [['anvil_setBalance', address, balance]]),
    ...(code === undefined ? [] : [['anvil_setCode', address, code]]),
    ...Object.entries(storage).map(([slot, value]) => ['anvil_setStorageAt', address, slot, value]),
  ])
  const body = JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })))
  const response = await fetch(node.http, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  const answers = (await response.json()) as readonly object[]
  expect(answers.filter((answer) => 'error' in answer)).toEqual([])
  await node.rpc('evm_mine')
}

interface Block {
  readonly hash: Hex
  readonly number: Hex
  readonly stateRoot: Hex
  readonly receiptsRoot: Hex
  readonly transactions: readonly unknown[]
}

const blockAt = (node: StartedNode, at: string) => node.rpc('eth_getBlockByNumber', at, false) as Promise<Block>

/** Transactions for the original and for its fork: transfers, writes, deletions, a creation. */
async function transactions(chainId: number): Promise<readonly Hex[]> {
  let nonce = 0
  const sign = (account: Account, at: number, to: Hex | null, data: Hex, value = 0n) =>
    account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: at,
      to,
      data,
      value,
      gas: 500_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 10n ** 9n,
    })
  const sent = [
    await sign(first, nonce++, holder(7), '0x', 5n),
    await sign(first, nonce++, `0x${'77'.repeat(20)}`, '0x', 5n),
    await sign(first, nonce++, summer, word(100)),
    await sign(first, nonce++, null, '0x6001600055600a80600f5f395ff3'),
  ]
  // Deletions collapse branches of the storage trie into nodes that nobody has read.
  for (let i = 1; i <= 30; i++) sent.push(await sign(first, nonce++, setter, pair(i, 0)))
  // All are of one sender: others may pass a transaction that waits for its state.
  sent.push(await sign(first, nonce++, setter, pair(1_000, 1)), await sign(first, nonce++, setter, pair(2, 7)))
  return sent
}

describe('against Blinknet itself', () => {
  let original: StartedNode
  let fork: StartedNode
  beforeAll(async () => {
    original = await startBlinknet({ mode: 'manual', genesis: ALLOC })
    await original.rpc('devnet_tick', 25)
    fork = await startFork(original.http, '--clock', 'manual', '--balance', '0')
  })
  afterAll(async () => {
    await fork.close()
    await original.close()
  })

  test('a fork begins with the head of the other chain, whose blocks and transactions it answers unchanged', async () => {
    const head = await blockAt(original, 'latest')
    expect(await blockAt(fork, 'latest')).toEqual(head)
    expect(await blockAt(fork, '0x0')).toEqual(await blockAt(original, '0x0'))
    expect(await fork.rpc('eth_getBlockByHash', head.hash, true)).toEqual(
      await original.rpc('eth_getBlockByHash', head.hash, true),
    )
    expect(await fork.rpc('eth_chainId')).toBe('0x7a69')
  })

  test('it answers for accounts, slots, codes and proofs as the other chain does', async () => {
    for (const [method, ...params] of [
      ['eth_getBalance', holder(3)],
      ['eth_getBalance', `0x${'99'.repeat(20)}`],
      ['eth_getCode', summer],
      ['eth_getStorageAt', summer, word(17)],
      ['eth_getStorageAt', summer, word(5_000)],
      ['eth_getCode', holder(2_997)],
      ['eth_getStorageAt', holder(2_997), word(2_997)],
      ['eth_getProof', holder(2_997), [word(2_997), word(2_998)]],
      ['eth_getTransactionCount', first.address],
      ['eth_getProof', summer, [word(17), word(5_000)]],
      ['eth_call', { to: summer, data: word(SLOTS) }],
      ['eth_estimateGas', { to: summer, data: word(20) }],
    ] as [string, ...unknown[]][]) {
      const call = [...params, 'latest']
      expect(await fork.rpc(method, ...call), method).toEqual(await original.rpc(method, ...call))
    }
  })

  test('the same transactions give the same blocks, down to their hashes: every root is the true one', async () => {
    const raw = await transactions(31_337)
    const forkedAt = Number((await blockAt(fork, 'latest')).number)
    for (const each of raw)
      expect(await fork.rpc('eth_sendRawTransaction', each)).toBe(await original.rpc('eth_sendRawTransaction', each))
    for (let tick = 0; tick < 30; tick++) {
      await fork.rpc('devnet_tick', 1)
      await original.rpc('devnet_tick', 1)
    }
    const head = Number((await blockAt(original, 'latest')).number)
    expect(head).toBeGreaterThan(forkedAt + 1)
    let included = 0
    for (let number = forkedAt + 1; number <= head; number++) {
      const at = toHex(number)
      const block = await blockAt(original, at)
      expect(await blockAt(fork, at)).toEqual(block)
      expect(await fork.rpc('eth_getBlockReceipts', at)).toEqual(await original.rpc('eth_getBlockReceipts', at))
      included += block.transactions.length
    }
    expect(included).toBe(raw.length)
  })
})

const anvil = foundryBinary('anvil')

describe.runIf(anvil !== undefined)('against anvil', () => {
  let original: StartedNode
  let fork: StartedNode
  beforeAll(async () => {
    original = await startAnvil(anvil as string, [])
    await populate(original)
    fork = await startFork(original.http, '--no-mining', '--gas-limit', '400000000')
  })
  afterAll(async () => {
    await fork.close()
    await original.close()
  })

  test('the state is proven, calls agree, and the development accounts have their balance', async () => {
    for (const [method, ...params] of [
      ['eth_getBalance', holder(3)],
      ['eth_getCode', summer],
      ['eth_getStorageAt', summer, word(17)],
      ['eth_call', { to: summer, data: word(SLOTS) }],
    ] as [string, ...unknown[]][]) {
      const call = [...params, 'latest']
      expect(await fork.rpc(method, ...call), method).toEqual(await original.rpc(method, ...call))
    }
    expect(await fork.rpc('eth_getBalance', first.address, 'pending')).toBe(toHex(10_000n * 10n ** 18n))
  })

  test('a transaction is sent, mined and read, and the logs and receipts of both chains are found', async () => {
    const raw = await first.signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      nonce: Number(await fork.rpc('eth_getTransactionCount', first.address, 'latest')),
      to: setter,
      data: pair(3, 0),
      gas: 100_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 10n ** 9n,
    })
    const hash = await fork.rpc('eth_sendRawTransaction', raw)
    await fork.rpc('evm_mine')
    expect(await fork.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    expect(await fork.rpc('eth_getStorageAt', setter, word(3), 'latest')).toBe(word(0))
    expect(await fork.rpc('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })).toEqual([])
  })

  test('its time goes on from that of its block, as that of an anvil that forks it', async () => {
    const old = await startAnvil(anvil as string, ['--timestamp', '1744590000'])
    const forks: StartedNode[] = []
    try {
      await old.rpc('evm_mine')
      const { timestamp } = (await old.rpc('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: Hex }
      forks.push(await startAnvil(anvil as string, ['--fork-url', old.http]))
      for (const mode of [['--automine'], ['--no-mining'], ['--clock', 'manual'], []]) {
        forks.push(await startFork(old.http, ...mode))
      }
      for (const each of forks) {
        await each.rpc('evm_mine')
        const mined = (await each.rpc('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: Hex }
        // Blocks of an anvil may share a second.
        expect(Number(mined.timestamp)).toBeGreaterThanOrEqual(Number(timestamp))
        expect(Number(mined.timestamp)).toBeLessThan(Number(timestamp) + 60)
      }
    } finally {
      for (const each of [...forks, old]) await each.close()
    }
  })

  test('what anvil did after the fork’s block does not exist on it', async () => {
    const before = await startFork(original.http)
    const from = first.address.toLowerCase()
    const hash = (await original.rpc('eth_sendTransaction', { from, to: holder(9), value: '0x1' })) as Hex
    await original.rpc('evm_mine')
    const receipt = (await original.rpc('eth_getTransactionReceipt', hash)) as { readonly blockHash: Hex }
    try {
      const { blockHash } = receipt
      for (const [method, ...params] of [
        ['eth_getTransactionReceipt', hash],
        ['eth_getTransactionByHash', hash],
        ['eth_getBlockByHash', blockHash, false],
        ['eth_getBlockReceipts', blockHash],
        ['eth_getBlockTransactionCountByHash', blockHash],
      ] as [string, ...unknown[]][]) {
        expect(await original.rpc(method, ...params), method).not.toBeNull()
        expect(await before.rpc(method, ...params), method).toBeNull()
      }
      for (const [method, ...params] of [
        ['debug_traceTransaction', hash],
        ['eth_getLogs', { blockHash }],
        ['eth_getBalance', holder(9), { blockHash }],
      ] as [string, ...unknown[]][]) {
        await expect(before.rpc(method, ...params), method).rejects.toThrow(/not found|unknown block/)
      }
    } finally {
      await before.close()
    }
  })

  test('without proofs it is taken at its word, and the banner says so', async () => {
    const endpoint = await withoutProofs(original.http)
    const trusting = await startFork(endpoint.url, '--automine')
    try {
      expect(trusting.printed).toMatch(
        /has no proofs \(eth_getProof: no such method\) and is taken at its word, so state roots are not those/,
      )
      const [call, balance] = [{ to: summer, data: word(SLOTS) }, holder(3)]
      expect(await trusting.rpc('eth_call', call, 'latest')).toBe(await original.rpc('eth_call', call, 'latest'))
      expect(await trusting.rpc('eth_getBalance', balance, 'latest')).toBe(toHex(1_003))
      const hash = await trusting.rpc('eth_sendTransaction', { from: first.address, to: setter, data: pair(3, 0) })
      expect(await trusting.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
      expect(await trusting.rpc('eth_getStorageAt', setter, word(3), 'latest')).toBe(word(0))
    } finally {
      await trusting.close()
      await endpoint.close()
    }
  })
})
