import { expect, test } from 'vitest'
import { createTestNode, devAccount, RpcError, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { STATES_KEPT } from './chain-store.ts'
import { mayHold, StoredBlock } from './stored-block.ts'

async function seal({ request }: TestNode, blocks: number): Promise<void> {
  await request('anvil_mine', [`0x${blocks.toString(16)}`])
}

/** The answers of all methods about block `number` and its contents. */
async function describeBlock({ request }: TestNode, number: string): Promise<unknown[]> {
  const block = await request('eth_getBlockByNumber', [number, true])
  const answers: unknown[] = [block, await request('eth_getBlockReceipts', [number])]
  for (const tx of block?.transactions ?? []) {
    if (typeof tx === 'string') continue
    answers.push(await request('eth_getTransactionByHash', [tx.hash]))
    answers.push(await request('debug_getRawReceipts', [number]))
  }
  return [
    ...answers,
    await request('debug_getRawBlock', [number]),
    await request('eth_getLogs', [{ fromBlock: number, toBlock: number }]),
  ]
}

test('a block whose state was released still answers everything that does not need the state', async () => {
  const node = await createTestNode({ mode: 'manual' })
  const { request } = node
  const impersonated = `0x${'ab'.repeat(20)}`
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('anvil_setBalance', [impersonated, '0xde0b6b3a7640000'])
  await request('anvil_impersonateAccount', [impersonated])
  await request('eth_sendTransaction', [{ from: impersonated, to: devAccount(1).address, value: '0x1' }])
  // A contract whose constructor logs the first word of its call data as the only topic: CALLDATASIZE … LOG1.
  await request('eth_sendTransaction', [
    { from: devAccount(2).address.toLowerCase(), input: '0x602a60005260aa60206000a160006000f3' },
  ])
  await seal(node, 3)
  const numbers = ['0x1', '0x2', '0x3', '0x4']
  const before = await Promise.all(numbers.map((number) => describeBlock(node, number)))
  await seal(node, STATES_KEPT + 5)
  expect(await Promise.all(numbers.map((number) => describeBlock(node, number)))).toEqual(before)
})

test('queries that need a released state are refused, and block 0 keeps its own', async () => {
  const node = await createTestNode({ mode: 'manual' })
  const { request } = node
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await seal(node, STATES_KEPT + 1)
  const account = devAccount(0).address
  await expect(request('eth_getBalance', [account, '0x1'])).rejects.toThrow(
    /historical state 0x[0-9a-f]{64} is not available/,
  )
  await expect(request('eth_call', [{ to: account }, '0x1'])).rejects.toThrow(RpcError)
  await expect(request('eth_getProof', [account, [], '0x1'])).rejects.toThrow('historical state')
  expect(await request('eth_getBalance', [account, '0x2'])).not.toBe(await request('eth_getBalance', [account, '0x0']))
  await expect(request('devnet_reorg', [STATES_KEPT + 1])).resolves.toBeDefined()
})

test('a reorg to a block without a state is refused', async () => {
  const node = await createTestNode({ mode: 'manual' })
  await seal(node, STATES_KEPT + 5)
  await expect(node.request('devnet_reorg', [STATES_KEPT + 1])).rejects.toThrow('only the newest keep their states')
  await node.request('devnet_reset')
  expect(await node.request('eth_blockNumber')).toBe('0x0')
})

test('bytes are found wherever a block has them, and whoever fills a block with their first byte ends the search', () => {
  const wanted = Uint8Array.of(0, 0xff, 0xff, 1)
  const holds = (record: Uint8Array) => mayHold(new StoredBlock(record), wanted)
  const filled = (length: number) => new Uint8Array(length).fill(0xff)
  expect(holds(filled(60_000))).toBe(false)
  expect(holds(new Uint8Array(1_000_000))).toBe(false)
  for (const place of [0, 1, 500_000, 999_996]) {
    const record = new Uint8Array(1_000_000)
    record.set(wanted, place)
    expect(holds(record)).toBe(true)
  }
  // Each of the bytes has to be looked at again and again: it is quicker to decode the block.
  expect(holds(filled(100_000))).toBe(true)
})
