import { createBlock, createBlockHeader } from '@ethereumjs/block'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createTxFromRLP } from '@ethereumjs/tx'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from '#primitives/hex.ts'
import { signTransfer } from '#testing/node/test-node.ts'
import type { Header } from './block.ts'
import {
  blockSize,
  bodyLength,
  EMPTY_REQUESTS_HASH,
  EMPTY_UNCLES_HASH,
  EMPTY_WITHDRAWALS_ROOT,
  hashHeader,
} from './header.ts'

const common = createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork: Hardfork.Osaka })
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex)
const header: fc.Arbitrary<Header> = fc.record({
  parentHash: hash,
  coinbase: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex),
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: fc.uint8Array({ minLength: 256, maxLength: 256 }),
  number: fc.integer({ min: 1, max: 2 ** 40 }),
  gasLimit: fc.bigInt({ min: 5000n, max: 2n ** 40n }),
  gasUsed: fc.bigInt({ min: 0n, max: 5000n }),
  timestamp: fc.integer({ min: 1, max: 2 ** 33 }),
  extraData: fc.uint8Array({ minLength: 17, maxLength: 17 }),
  mixHash: hash,
  baseFeePerGas: fc.bigInt({ min: 1n, max: 2n ** 60n }),
  parentBeaconBlockRoot: hash,
})

/** The header in the format of an independent implementation. */
const oracleData = (value: Header) => ({
  ...value,
  uncleHash: EMPTY_UNCLES_HASH,
  transactionsTrie: value.transactionsRoot,
  receiptTrie: value.receiptsRoot,
  withdrawalsRoot: EMPTY_WITHDRAWALS_ROOT,
  requestsHash: EMPTY_REQUESTS_HASH,
  blobGasUsed: 0n,
  excessBlobGas: 0n,
})

test('the hash of any header equals that of @ethereumjs/block', () => {
  fc.assert(
    fc.property(header, (value) => {
      const oracle = createBlockHeader(oracleData(value), { common, skipConsensusFormatValidation: true })
      expect(hashHeader(value)).toBe(bytesToHex(oracle.hash()))
    }),
  )
})

test('the size of a block is the length of its RLP, for any number of transactions', async () => {
  const raw = hexToBytes(await signTransfer(0, 0))
  const tx = createTxFromRLP(raw, { common })
  for (const count of [0, 1, 2, 3, 600]) {
    fc.assert(
      fc.property(header, (value) => {
        const oracle = createBlock(
          {
            header: oracleData(value),
            transactions: Array.from({ length: count }, () => tx) as never,
            withdrawals: [],
          },
          { common, skipConsensusFormatValidation: true },
        )
        expect(blockSize(value, count * bodyLength(raw))).toBe(oracle.serialize().length)
      }),
      { numRuns: count === 600 ? 2 : 20 },
    )
  }
})
