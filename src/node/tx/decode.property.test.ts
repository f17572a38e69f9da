import fc from 'fast-check'
import { parseTransaction, serializeTransaction, type TransactionSerializable } from 'viem'
import { expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { account, rejection, SENDER, samples, sign } from '../testing/signed-samples.ts'
import { decodeTransaction } from './decode.ts'
import { TxRejectedError } from './rejection.ts'
import type { Transaction } from './transaction.ts'

const u64 = fc.bigInt(0n, 2n ** 53n - 1n)
const wei = fc.oneof(fc.bigInt(0n, 2n ** 256n - 1n), fc.bigInt(0n, 300n))
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex)
const slot = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex)
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(slot, { maxLength: 3 }) }), { maxLength: 3 })
const common = {
  nonce: u64.map(Number),
  gas: fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 60_000n)),
  value: wei,
  data: fc.uint8Array({ maxLength: 200 }).map(bytesToHex),
}
const chainId = fc.integer({ min: 1, max: 2 ** 32 })
const price = fc.bigInt(0n, 2n ** 256n - 1n)
const anyTarget = fc.option(address, { nil: undefined })
// viem refuses a tip above the fee cap.
const caps = fc.tuple(price, price).map(([a, b]) => ({
  maxFeePerGas: a > b ? a : b,
  maxPriorityFeePerGas: a > b ? b : a,
}))
const authorization = fc.record({
  chainId: fc.integer({ min: 0, max: 2 ** 32 }),
  address,
  nonce: u64.map(Number),
  yParity: fc.constantFrom(0, 1),
  r: fc.bigInt(1n, 2n ** 256n - 1n).map(toWord),
  s: fc.bigInt(1n, 2n ** 256n - 1n).map(toWord),
})
const transaction = fc.oneof(
  fc.record({
    ...common,
    type: fc.constant('legacy' as const),
    chainId: fc.option(chainId, { nil: undefined }),
    to: anyTarget,
    gasPrice: price,
  }),
  fc.record({ ...common, type: fc.constant('eip2930' as const), chainId, to: anyTarget, gasPrice: price, accessList }),
  fc
    .tuple(fc.record({ ...common, type: fc.constant('eip1559' as const), chainId, to: anyTarget, accessList }), caps)
    .map(([tx, fees]) => ({ ...tx, ...fees })),
  fc
    .tuple(
      fc.record({
        ...common,
        type: fc.constant('eip7702' as const),
        chainId,
        to: address,
        accessList,
        authorizationList: fc.array(authorization, { minLength: 1, maxLength: 3 }),
      }),
      caps,
    )
    .map(([tx, fees]) => ({ ...tx, ...fees })),
)

/** The decoded transaction as viem writes transactions. */
function toViem(tx: Transaction): TransactionSerializable {
  const base = {
    nonce: Number(tx.nonce),
    gas: tx.gas,
    to: tx.to ?? undefined,
    value: tx.value,
    data: bytesToHex(tx.input),
  }
  const chain = tx.chainId === null ? {} : { chainId: Number(tx.chainId) }
  if (tx.type === 0) return { ...base, ...chain, type: 'legacy', gasPrice: tx.gasPrice }
  const typed = { ...base, chainId: Number(tx.chainId), accessList: tx.accessList as never }
  if (tx.type === 1) return { ...typed, type: 'eip2930', gasPrice: tx.gasPrice }
  const fees = { maxFeePerGas: tx.maxFeePerGas, maxPriorityFeePerGas: tx.maxPriorityFeePerGas }
  if (tx.type === 2) return { ...typed, ...fees, type: 'eip1559' }
  const authorizationList = tx.authorizationList.map((item) => ({
    chainId: Number(item.chainId),
    address: item.address,
    nonce: Number(item.nonce),
    yParity: Number(item.yParity),
    r: toWord(item.r),
    s: toWord(item.s),
  }))
  return { ...typed, ...fees, type: 'eip7702', authorizationList }
}

test('decoding what viem signed gives the sender, and the fields give the signed bytes again', async () => {
  await fc.assert(
    fc.asyncProperty(transaction, async (fields) => {
      const signed = await account.signTransaction(fields)
      const tx = decodeTransaction(hexToBytes(signed))
      expect(tx.sender).toBe(SENDER)
      const { r, s, v } = parseTransaction(signed)
      expect([tx.r, tx.s]).toEqual([BigInt(r as Hex), BigInt(s as Hex)])
      const signature = { r: r as Hex, s: s as Hex, v: v as bigint, yParity: tx.yParity }
      expect(serializeTransaction(toViem(tx), signature)).toBe(signed)
    }),
    { numRuns: 200 },
  )
})

test('changed bytes are refused or are another transaction, and nothing else is ever thrown', async () => {
  const valid = await Promise.all(Object.values(await samples()).map(sign))
  const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), insert: fc.boolean() })
  fc.assert(
    fc.property(fc.constantFrom(...valid), fc.array(change, { minLength: 1, maxLength: 3 }), (raw, changes) => {
      let bytes = [...raw]
      for (const { at, byte, insert } of changes) bytes = bytes.toSpliced(at % bytes.length, insert ? 0 : 1, byte)
      const changed = Uint8Array.from(bytes)
      try {
        const tx = decodeTransaction(changed)
        const unchanged = bytesToHex(changed) === bytesToHex(raw)
        // Valid bytes have one meaning: another signed content or signature has another sender.
        expect(tx.sender === SENDER).toBe(unchanged)
      } catch (error) {
        if (!(error instanceof TxRejectedError)) throw error
      }
    }),
    { numRuns: 3_000 },
  )
})

test('arbitrary bytes are refused with a rejection and nothing else', () => {
  const prefix = fc.constantFrom([], [0x01], [0x02], [0x04], [0xf8], [0x02, 0xf8], [0x04, 0xf9])
  fc.assert(
    fc.property(prefix, fc.uint8Array({ maxLength: 300 }), (start, rest) => {
      expect(rejection(Uint8Array.of(...start, ...rest))).toBeInstanceOf(TxRejectedError)
    }),
    { numRuns: 3_000 },
  )
})
