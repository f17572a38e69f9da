import type { Address, Quantity } from '#primitives/hex.ts'

/** What stands for `r` where `r` would be 0: no address is as large. */
export const ZERO_ADDRESS_MARK = 1n << 160n

/** `r` of a transaction that the node sent for an account without its key; its `s` is 1. */
export function impersonationR(sender: Address): bigint {
  return BigInt(sender) || ZERO_ADDRESS_MARK
}

/** The parts of a transaction that tell whether it has a signature. */
interface Signed {
  readonly type: Quantity
  readonly from: Address
  readonly r: Quantity
  readonly s: Quantity
}

/** The largest type of a transaction that has a signature. Those that rollups make of deposits have none. */
const LARGEST_SIGNED_TYPE = 4

/**
 * Whether a Blinknet node sent a transaction for an account without its key. Chains of earlier versions have marks whose
 * `s` is 0.
 */
export function isSentWithoutKey({ type, from, r, s }: Signed): boolean {
  if (Number(type) > LARGEST_SIGNED_TYPE) return false
  return BigInt(s) === 0n || (BigInt(s) === 1n && BigInt(r) === impersonationR(from))
}
