import fc from 'fast-check'
import type { TransactionSerializable } from 'viem'
import type { UnsignedTransaction } from '#node/tx/transaction.ts'
import { bytesToHex, toWord } from '#primitives/hex.ts'

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
/** Any transaction of an accepted type, in viem's form. */
export const viemTransaction = fc.oneof(
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

/** The transaction in viem's form. */
export function toViem(tx: UnsignedTransaction): TransactionSerializable {
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
