import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcLog, RpcReceipt } from '#rpc-types/objects.ts'
import { compareReceipts } from './compare-receipts.ts'

const log = { address: '0x01', topics: [toWord(1)], data: '0x', blockHash: toWord(0), logIndex: '0x0' }
const receipt = {
  status: '0x1',
  gasUsed: '0x5208',
  blockHash: toWord(0),
  to: null,
  logs: [log],
} as unknown as RpcReceipt

const changed = (after: RpcReceipt) =>
  compareReceipts(receipt, after)
    .filter(({ equal }) => !equal)
    .map(({ name }) => name)

test('a seal only changes the block hashes, in the receipt and in its logs', () => {
  const sealed = { ...receipt, blockHash: toWord(7), logs: [{ ...log, blockHash: toWord(7) } as unknown as RpcLog] }
  expect(changed(receipt)).toEqual([])
  expect(changed(sealed)).toEqual(['blockHash', 'logs[0].blockHash'])
})

test('a log in only one receipt differs in all of its fields', () => {
  expect(changed({ ...receipt, logs: [] })).toEqual(
    expect.arrayContaining(['logs[0].address', 'logs[0].topics[0]', 'logs[0].logIndex']),
  )
})

test('every field of a receipt and of a log is compared', () => {
  const full = {
    ...receipt,
    type: '0x2',
    from: '0x01',
    contractAddress: null,
    cumulativeGasUsed: '0x1',
    effectiveGasPrice: '0x1',
    blockNumber: '0x1',
    transactionIndex: '0x0',
    transactionHash: toWord(1),
    logsBloom: '0x00',
    logs: [],
  } as unknown as RpcReceipt
  const names = compareReceipts(full, full).map(({ name }) => name)
  expect(new Set([...names, 'logs'])).toEqual(new Set(Object.keys(full)))
})
