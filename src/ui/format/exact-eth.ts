const DIGITS = 18

/** Wei as ETH with all decimals, for amounts that a person confirms. */
export function formatExactEth(wei: bigint): string {
  const unit = 10n ** BigInt(DIGITS)
  const decimals = String(wei % unit)
    .padStart(DIGITS, '0')
    .replace(/0+$/, '')
  return `${(wei / unit).toLocaleString('en-US')}${decimals === '' ? '' : `.${decimals}`} ETH`
}
