import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { Block, IncludedTransaction } from '../../payload/block.ts'
import type { Transaction } from '../../tx/transaction.ts'
import { formatIncluded, formatPooled } from './transaction.ts'

const base = {
  hash: toWord(1),
  raw: Uint8Array.of(0xc0),
  sender: `0x${'aa'.repeat(20)}`,
  nonce: 7n,
  gas: 21_000n,
  to: `0x${'bb'.repeat(20)}`,
  value: 0n,
  input: Uint8Array.of(0, 1),
  yParity: 1,
  r: 0x0123n,
  s: 5n,
} as const
const accessList = [{ address: `0x${'cc'.repeat(20)}`, storageKeys: [toWord(3)] }] as const
const fees = { maxFeePerGas: 100n, maxPriorityFeePerGas: 2n }
const authorization = { chainId: 0n, address: base.to, nonce: 1n, yParity: 0n, r: 9n, s: 10n }

const legacy: Transaction = { ...base, type: 0, chainId: 31337n, gasPrice: 50n }
const type1: Transaction = { ...base, type: 1, chainId: 31337n, gasPrice: 50n, accessList }
const type2: Transaction = { ...base, type: 2, chainId: 31337n, ...fees, accessList: [] }
const type4: Transaction = { ...type2, type: 4, authorizationList: [authorization] }

const pooled = {
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
  hash: base.hash,
  from: base.sender,
  to: base.to,
  nonce: '0x7',
  gas: '0x5208',
  value: '0x0',
  input: '0x0001',
  r: '0x123',
  s: '0x5',
}

test('a protected legacy transaction has its chain id, within v as well', () => {
  expect(formatPooled(legacy)).toEqual({ ...pooled, type: '0x0', gasPrice: '0x32', chainId: '0x7a69', v: '0xf4f6' })
})

test('an unprotected legacy transaction has no chain id, and v is 27 or 28', () => {
  expect(formatPooled({ ...legacy, chainId: null })).toEqual({ ...pooled, type: '0x0', gasPrice: '0x32', v: '0x1c' })
  expect(formatPooled({ ...legacy, chainId: null, yParity: 0 })).toHaveProperty('v', '0x1b')
})

test('a type 1 transaction has its access list, and yParity besides v', () => {
  expect(formatPooled(type1)).toEqual({
    ...pooled,
    type: '0x1',
    gasPrice: '0x32',
    chainId: '0x7a69',
    v: '0x1',
    yParity: '0x1',
    accessList,
  })
})

test('a type 2 transaction in the mempool quotes its fee cap as gasPrice', () => {
  expect(formatPooled(type2)).toEqual({
    ...pooled,
    type: '0x2',
    gasPrice: '0x64',
    maxFeePerGas: '0x64',
    maxPriorityFeePerGas: '0x2',
    chainId: '0x7a69',
    v: '0x1',
    yParity: '0x1',
    accessList: [],
  })
})

test('a type 4 transaction also has its authorizations', () => {
  expect(formatPooled(type4)).toEqual({
    ...formatPooled(type2),
    type: '0x4',
    authorizationList: [{ chainId: '0x0', address: base.to, nonce: '0x1', yParity: '0x0', r: '0x9', s: '0xa' }],
  })
})

test('a contract creation has no receiver', () => {
  expect(formatPooled({ ...type2, to: null })).toHaveProperty('to', null)
})

const included = {
  tx: type2,
  transactionIndex: 3,
  receipt: { effectiveGasPrice: 9n },
} as unknown as IncludedTransaction
const header = { number: 17, timestamp: 0x65 }

test('a pre-confirmed transaction has its place and its price, and neither hash nor timestamp of the block', () => {
  const block = { kind: 'partial', header, hash: toWord(8) } as unknown as Block
  expect(formatIncluded(included, block)).toEqual({
    ...formatPooled(type2),
    gasPrice: '0x9',
    blockNumber: '0x11',
    transactionIndex: '0x3',
  })
})

test('a sealed transaction has both', () => {
  const block = { kind: 'sealed', header, hash: toWord(8) } as unknown as Block
  expect(formatIncluded(included, block)).toEqual({
    ...formatPooled(type2),
    gasPrice: '0x9',
    blockHash: toWord(8),
    blockNumber: '0x11',
    blockTimestamp: '0x65',
    transactionIndex: '0x3',
  })
})
