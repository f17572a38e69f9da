/** A transaction's fee cap and tip, in wei per gas; a legacy price counts as both. */
export interface FeeOffer {
  readonly feeCap: bigint
  readonly tip: bigint
}

/** Percent by which both have to rise for the node to take a transaction in place of another with its nonce. */
const PRICE_BUMP = 10n

/** The least that replaces a waiting transaction. */
export function requiredOffer(old: FeeOffer): FeeOffer {
  return { feeCap: bumped(old.feeCap), tip: bumped(old.tip) }
}

/**
 * A replacement for a waiting transaction that is accepted and can be included.
 *
 * @param suggested - What a new transaction would pay.
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
