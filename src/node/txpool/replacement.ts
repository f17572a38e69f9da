import type { PoolLimits } from '../spec/chain-spec.ts'
import { TxRejectedError } from '../tx/rejection.ts'
import { feeCap, type Transaction, tipCap } from '../tx/transaction.ts'

/** Percent by which a replacement must raise fee cap and tip. */
const PRICE_BUMP = 10n

/**
 * Checks that a transaction pays enough to replace another with its sender and nonce.
 *
 * @param rule - `tenth`: fee cap and tip are 10% higher; a tip of 0 may stay 0. `any`: the fee cap is higher.
 * @throws {TxRejectedError} `replacement-underpriced`.
 */
export function checkReplacement(old: Transaction, tx: Transaction, rule: PoolLimits['replacement']): void {
  const requiredFeeCap = rule === 'any' ? feeCap(old) + 1n : bumped(feeCap(old))
  const requiredTip = rule === 'any' ? 0n : bumped(tipCap(old))
  if (feeCap(tx) >= requiredFeeCap && tipCap(tx) >= requiredTip) return
  throw new TxRejectedError('replacement-underpriced', 'replacement transaction underpriced', {
    maxFeePerGas: feeCap(tx),
    requiredMaxFeePerGas: requiredFeeCap,
    maxPriorityFeePerGas: tipCap(tx),
    requiredMaxPriorityFeePerGas: requiredTip,
  })
}

/** The price plus 10%, rounded up; 0 stays 0. */
function bumped(price: bigint): bigint {
  return (price * (100n + PRICE_BUMP) + 99n) / 100n
}
