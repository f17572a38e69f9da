/** A transaction's fee cap and tip, in wei per gas; a legacy price counts as both. */
export interface FeeOffer {
  readonly feeCap: bigint
  readonly tip: bigint
}

/** Percent by which both must rise for the node to accept a replacement. */
const PRICE_BUMP = 10n

/** The lowest fees that replace a waiting transaction. */
export function requiredOffer(old: FeeOffer): FeeOffer {
  return { feeCap: bumped(old.feeCap), tip: bumped(old.tip) }
}

/**
 * Fees for a replacement that will be accepted and included.
 *
 * @param suggested - Fees of a new transaction.
 */
export function replacementOffer(old: FeeOffer, suggested: FeeOffer): FeeOffer {
  const required = requiredOffer(old)
  const tip = max(required.tip, suggested.tip)
  return { feeCap: max(max(required.feeCap, suggested.feeCap), tip), tip }
}

function bumped(wei: bigint): bigint {
  return (wei * (100n + PRICE_BUMP) + 99n) / 100n
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
