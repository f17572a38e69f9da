import { concat, type Hex, hexToBytes, keccak256, numberToHex, toRlp } from 'viem'
import { expect, test } from 'vitest'
import type { RpcBlock } from '#rpc-types/objects.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

/** The 26 fields of section 2.1 of the specification. */
const FIELDS = [
  'number hash parentHash nonce sha3Uncles logsBloom transactionsRoot stateRoot receiptsRoot miner difficulty mixHash',
  'extraData size gasLimit gasUsed timestamp transactions uncles withdrawals withdrawalsRoot baseFeePerGas blobGasUsed',
  'excessBlobGas parentBeaconBlockRoot requestsHash',
].flatMap((line) => line.split(' '))

/** The base fee rule of a chain with default options, as section 2 of the protocol lays it out. */
const DEFAULT_EXTRA_DATA = concat([
  '0x01',
  numberToHex(OPTION_RANGES.baseFeeDenominator.default, { size: 4 }),
  numberToHex(OPTION_RANGES.baseFeeElasticity.default, { size: 4 }),
  numberToHex(OPTION_RANGES.minBaseFee.default, { size: 8 }),
])

/** A quantity as an RLP integer. */
const integer = (quantity: Hex): Hex => {
  const digits = BigInt(quantity).toString(16)
  return quantity === '0x0' ? '0x' : `0x${digits.padStart(digits.length + (digits.length % 2), '0')}`
}

/** The header's fields in the order of Prague, taken only from the answer. */
function headerFields(block: RpcBlock): Hex[] {
  return [
    block.parentHash,
    block.sha3Uncles,
    block.miner,
    block.stateRoot,
    block.transactionsRoot,
    block.receiptsRoot,
    block.logsBloom,
    integer(block.difficulty),
    integer(block.number),
    integer(block.gasLimit),
    integer(block.gasUsed),
    integer(block.timestamp),
    block.extraData,
    block.mixHash,
    block.nonce,
    integer(block.baseFeePerGas),
    block.withdrawalsRoot,
    integer(block.blobGasUsed),
    integer(block.excessBlobGas),
    block.parentBeaconBlockRoot,
    block.requestsHash,
  ]
}

async function chainWithTransactions() {
  const node = await createTestNode({ mode: 'manual' })
  const legacy = await devAccount(1).signTransaction({
    type: 'legacy',
    chainId: 31337,
    nonce: 0,
    gas: 21_000n,
    to: devAccount(9).address,
    gasPrice: 3_000_000_000n,
  })
  const raws = [legacy, await signTransfer(0, 0)]
  for (const raw of raws) await node.request('eth_sendRawTransaction', [raw])
  return { ...node, raws }
}

test.each([['pending'], ['latest']])(
  'the %s block has the 26 fields, and its hash and size follow from them',
  async (tag) => {
    const { request, raws } = await chainWithTransactions()
    await request('devnet_tick', [tag === 'pending' ? 1 : 10])
    const block = await request('eth_getBlockByNumber', [tag, false])
    if (!block) throw new Error('no block')
    expect(Object.keys(block).toSorted()).toEqual(FIELDS.toSorted())
    expect(block).toMatchObject({
      number: '0x1',
      nonce: '0x0000000000000000',
      sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
      miner: '0x4200000000000000000000000000000000000011',
      difficulty: '0x0',
      extraData: DEFAULT_EXTRA_DATA,
      gasLimit: '0x17d78400',
      gasUsed: '0xa410',
      uncles: [],
      withdrawals: [],
      withdrawalsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
      blobGasUsed: '0x0',
      excessBlobGas: '0x0',
      requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    })
    expect(block.hash).toBe(keccak256(toRlp(headerFields(block))))

    // toRlp takes bytes, but a legacy transaction is a list in the body, so it is spliced in unchanged.
    const typed = toRlp(raws[1] as Hex)
    const transactionBytes = hexToBytes(raws[0] as Hex).length + hexToBytes(typed).length
    const header = hexToBytes(toRlp(headerFields(block))).length
    const listHeader = (length: number) => (length < 56 ? 1 : length < 256 ? 2 : 3)
    const body = header + listHeader(transactionBytes) + transactionBytes + 2
    expect(Number(block.size)).toBe(listHeader(body) + body)
  },
)

test('the second argument chooses between hashes and objects', async () => {
  const { request } = await chainWithTransactions()
  await request('devnet_tick', [10])
  const hashes = await request('eth_getBlockByNumber', ['latest', false])
  const full = await request('eth_getBlockByNumber', ['0x1', true])
  const objects = await Promise.all(
    (hashes?.transactions ?? []).map((hash) => request('eth_getTransactionByHash', [hash])),
  )
  expect(objects).toHaveLength(2)
  expect(full).toEqual({ ...hashes, transactions: objects })
  expect(await request('eth_getBlockByHash', [hashes?.hash, true])).toEqual(full)
})

test('only pending returns the live block, with its number and its hash', async () => {
  const { request } = await chainWithTransactions()
  await request('devnet_tick', [1])
  const pending = await request('eth_getBlockByNumber', ['pending', true])
  expect(pending).toMatchObject({ number: '0x1', transactions: [{ blockHash: null }, { blockHash: null }] })
  expect(await request('eth_getBlockByHash', [pending?.hash, false])).toBeNull()
  expect(await request('eth_getBlockByNumber', ['0x1', false])).toBeNull()
  expect(await request('eth_getBlockTransactionCountByNumber', ['0x1'])).toBeNull()
  expect(await request('eth_getBlockReceipts', ['0x1'])).toBeNull()
  expect(await request('eth_getBlockByNumber', ['0x7fffffffffffffff', false])).toBeNull()
})

test('safe is 32 and finalized 64 blocks behind the head, and neither is below block 0', async () => {
  const { request } = await createTestNode({ mode: 'manual', partialsPerBlock: 1 })
  const numbers = async () =>
    Promise.all(
      ['earliest', 'finalized', 'safe', 'latest', 'pending'].map(async (tag) =>
        Number((await request('eth_getBlockByNumber', [tag, false]))?.number),
      ),
    )
  expect(await numbers()).toEqual([0, 0, 0, 0, 1])
  await request('devnet_tick', [40])
  expect(await numbers()).toEqual([0, 0, 8, 40, 41])
  await request('devnet_tick', [30])
  expect(await numbers()).toEqual([0, 6, 38, 70, 71])
})

test('an unknown block hash and an unknown block number give different errors', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const at = (block: unknown) => request('eth_getBalance', [devAccount(0).address, block])
  await expect(at({ blockHash: `0x${'ab'.repeat(32)}` })).rejects.toMatchObject({
    error: { code: -32000, message: 'header for hash not found' },
  })
  await expect(at('0x99')).rejects.toMatchObject({ error: { code: -32000, message: 'header not found' } })
})
