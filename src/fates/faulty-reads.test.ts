import { expect, test } from 'vitest'
import { behind, withoutPending } from './faulty-reads.ts'

const HASH = `0x${'ab'.repeat(32)}`
const NO_HASH = `0x${'0'.repeat(64)}`
const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

test.each([
  ['eth_blockNumber', [], { result: '0x5' }],
  ['eth_getBlockByNumber', ['latest', false], { params: ['0x5', false] }],
  ['eth_getBlockByNumber', ['pending', false], { params: ['0x5', false] }],
  ['eth_getBlockByNumber', ['0x4', false], { params: ['0x4', false] }],
  ['eth_getBlockByNumber', ['0x6', false], { result: null }],
  ['eth_getBlockByNumber', ['earliest', false], { params: ['earliest', false] }],
  ['eth_getBalance', [ACCOUNT], { params: [ACCOUNT, '0x5'] }],
  ['eth_getBalance', [ACCOUNT, 'pending'], { params: [ACCOUNT, '0x5'] }],
  ['eth_getBalance', [ACCOUNT, '0x6'], { params: [ACCOUNT, '0xffffffffffff'] }],
  ['eth_getBalance', [ACCOUNT, { blockHash: HASH }], undefined],
  ['eth_getStorageAt', [ACCOUNT, '0x0', 'latest'], { params: [ACCOUNT, '0x0', '0x5'] }],
  ['eth_feeHistory', ['0x4', 'latest', []], { params: ['0x4', '0x5', []] }],
  ['eth_getLogs', [{ fromBlock: '0x2' }], { params: [{ fromBlock: '0x2', toBlock: '0x5' }] }],
  ['eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x9' }], { params: [{ fromBlock: '0x2', toBlock: '0x5' }] }],
  ['eth_getLogs', [{ fromBlock: '0x6', toBlock: '0x9' }], { result: [] }],
  ['eth_getLogs', [{ blockHash: HASH }], undefined],
  ['eth_chainId', [], undefined],
  ['eth_gasPrice', [], undefined],
])('%s %j of a node whose newest block is 5', (method, params, read) => {
  expect(behind(method, params, 5)).toEqual(read)
})

test.each([
  [{ blockNumber: '0x5' }, { blockNumber: '0x5' }],
  [{ blockNumber: '0x6' }, null],
  [{ blockNumber: null }, null],
  [null, null],
])('a transaction with %j is %j to a node whose newest block is 5', (found, seen) => {
  expect(behind('eth_getTransactionByHash', [HASH], 5)?.see?.(found)).toEqual(seen)
})

test('a block by its hash is not there for a node that is behind it', () => {
  const read = behind('eth_getBlockByHash', [HASH, false], 5)
  expect([read?.see?.({ number: '0x6' }), read?.see?.({ number: '0x5' })]).toEqual([null, { number: '0x5' }])
})

test.each([
  ['eth_getTransactionCount', [ACCOUNT, 'pending'], { params: [ACCOUNT, 'latest'] }],
  ['eth_getTransactionCount', [ACCOUNT, 'latest'], undefined],
  ['eth_getBlockByNumber', ['pending', true], { params: ['latest', true] }],
  ['eth_call', [{ to: ACCOUNT }, 'pending'], { params: [{ to: ACCOUNT }, 'latest'] }],
  [
    'eth_getLogs',
    [{ fromBlock: 'pending', toBlock: 'pending' }],
    { params: [{ fromBlock: 'latest', toBlock: 'latest' }] },
  ],
  ['eth_getLogs', [{ fromBlock: '0x1' }], undefined],
  ['eth_chainId', [], undefined],
])('%s %j of a node without a pending block', (method, params, read) => {
  expect(withoutPending(method, params)).toEqual(read)
})

test.each([
  [{ blockHash: NO_HASH, blockNumber: '0x1' }, null],
  [
    { blockHash: null, blockNumber: '0x1', transactionIndex: '0x0', gasPrice: '0x1', maxFeePerGas: '0x2' },
    { blockHash: null, blockNumber: null, transactionIndex: null, gasPrice: '0x2', maxFeePerGas: '0x2' },
  ],
  [
    { blockHash: HASH, blockNumber: '0x1' },
    { blockHash: HASH, blockNumber: '0x1' },
  ],
  [null, null],
])('a transaction or receipt with %j is %j without a pending block', (found, seen) => {
  expect(withoutPending('eth_getTransactionReceipt', [HASH])?.see?.(found)).toEqual(seen)
})
