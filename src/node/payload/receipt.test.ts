import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bigIntToBytes, concatBytes } from '#primitives/bytes.ts'
import { bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { logsBloom } from '../evm/bloom.ts'
import type { Receipt } from './block.ts'
import { encodeReceipt } from './receipt.ts'

const hexOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(bytesToHex)
const logs = fc.record({
  address: hexOf(20),
  topics: fc.array(hexOf(32), { maxLength: 4 }),
  data: fc.oneof(
    fc.uint8Array({ maxLength: 70 }),
    fc.constant(70_000).map((length) => new Uint8Array(length).fill(7)),
  ),
})
const receipts: fc.Arbitrary<Receipt> = fc.record({
  type: fc.constantFrom(0, 1, 2, 4),
  status: fc.constantFrom(0, 1),
  gasUsed: fc.constant(21_000n),
  cumulativeGasUsed: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
  logs: fc.array(logs, { maxLength: 4 }),
  contractAddress: fc.constant(null),
  effectiveGasPrice: fc.constant(1n),
})

test('a receipt is encoded as by an independent library', () => {
  fc.assert(
    fc.property(receipts, (receipt) => {
      const fields = RLP.encode([
        receipt.status === 1 ? Uint8Array.of(1) : new Uint8Array(0),
        bigIntToBytes(receipt.cumulativeGasUsed),
        logsBloom(receipt.logs),
        receipt.logs.map(({ address, topics, data }) => [hexToBytes(address), topics.map(hexToBytes), data]),
      ])
      const type = receipt.type === 0 ? new Uint8Array(0) : Uint8Array.of(receipt.type)
      expect(bytesToHex(encodeReceipt(receipt))).toBe(bytesToHex(concatBytes(type, fields)))
    }),
  )
})
