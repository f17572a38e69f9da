import type { FeeMarketTransaction } from '#node/tx/transaction.ts'
import { EMPTY_BYTES } from '#primitives/bytes.ts'
import { type Address, toWord } from '#primitives/hex.ts'

let made = 0

/** Address of test sender `index`. */
export function testSender(index: number): Address {
  return `0x${(index + 1).toString(16).padStart(40, '0')}`
}

/** A decoded transfer with a unique hash, for tests that look at neither signature nor bytes. */
export function testTransaction(
  overrides: Partial<Omit<FeeMarketTransaction, 'type' | 'nonce' | 'sender'>> & {
    readonly sender?: number
    readonly nonce?: number
    /** Price cap and tip, in wei per gas. */
    readonly price?: bigint
  } = {},
): FeeMarketTransaction {
  const { sender = 0, nonce = 0, price = 100n, ...fields } = overrides
  return {
    type: 2,
    hash: toWord(++made),
    raw: EMPTY_BYTES,
    chainId: 31_337n,
    gas: 21_000n,
    to: testSender(999),
    value: 0n,
    input: EMPTY_BYTES,
    accessList: [],
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
    yParity: 0,
    r: 1n,
    s: 1n,
    ...fields,
    sender: testSender(sender),
    nonce: BigInt(nonce),
  }
}
