const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** A whole number with thousands separators. */
export function formatInteger(value: number | bigint): string {
  return GROUPED.format(value)
}

/**
 * A span of time that was measured: whole milliseconds under 10 s, else seconds with one decimal. Clocks tell milliseconds,
 * so what took less is never “0 ms”.
 *
 * @param ms - Milliseconds; negative ones (two clocks that disagree) count as none.
 */
export function formatDuration(ms: number): string {
  const positive = Math.max(0, ms)
  if (Math.round(positive) === 0) return '<1 ms'
  if (Math.round(positive) < 10_000) return `${GROUPED.format(Math.round(positive))} ms`
  return `${(positive / 1000).toFixed(1)} s`
}

/** A recurring interval in words, without line breaks: milliseconds below a second, otherwise seconds with one decimal at most. */
export function formatPace(ms: number): string {
  if (ms < 1_000) return `${formatInteger(ms)}\u00a0ms`
  const seconds = Number((ms / 1_000).toFixed(1))
  return `${seconds}\u00a0second${seconds === 1 ? '' : 's'}`
}

/** Seconds with one decimal, rounded up so that a deadline never reads 0.0 before it is over. */
export function formatSeconds(ms: number): string {
  return `${(Math.ceil(Math.max(0, ms) / 100) / 10).toFixed(1)} s`
}

function formatUnits(value: bigint, decimals: number, shown: number): string {
  const negative = value < 0n
  const step = 10n ** BigInt(decimals - shown)
  const rounded = ((negative ? -value : value) + step / 2n) / step
  const one = 10n ** BigInt(shown)
  const whole = GROUPED.format(rounded / one)
  const fraction = shown === 0 ? '' : `.${(rounded % one).toString().padStart(shown, '0')}`
  return `${negative ? '−' : ''}${whole}${fraction}`
}

/**
 * Wei as ETH with a fixed number of decimals, 4 by default; nothing has none. An amount that would round to zero is shown
 * as a bound.
 *
 * @param wei - Wei.
 */
export function formatEth(wei: bigint, decimals = 4): string {
  if (wei === 0n) return '0 ETH'
  const smallest = 10n ** BigInt(18 - decimals)
  const magnitude = wei < 0n ? -wei : wei
  if (magnitude > 0n && magnitude * 2n < smallest) return `<${formatUnits(smallest, 18, decimals)} ETH`
  return `${formatUnits(wei, 18, decimals)} ETH`
}

/** Wei as gwei with 4 decimals. */
export function formatGwei(wei: bigint): string {
  return `${formatUnits(wei, 9, 4)} gwei`
}

/** A share in percent with two decimals. 0 of 0 is 0; a share that would round to 0 is shown as a bound. */
export function formatPercent(part: bigint, whole: bigint): string {
  if (whole === 0n) return '0.00%'
  if (part > 0n && part * 10_000n < whole) return '<0.01%'
  return `${formatUnits((part * 10_000n) / whole, 2, 2)}%`
}

/** A count with its noun: `1 transaction`, `2 transactions`. */
export function formatCount(count: number, noun: string): string {
  return `${formatInteger(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Keeps numbers of a sentence on one line with their units. */
export function withUnits(text: string): string {
  return text.replaceAll(/(\d) (gwei|ETH)\b/g, '$1\u00a0$2')
}

const AGE_UNITS = [
  { name: 'day', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
] as const

/**
 * A time span from or until now, in the largest full unit.
 *
 * @param seconds - Whole seconds since then; negative for a future time.
 */
export function formatAge(seconds: number): string {
  // A pending block may begin a moment after the time that is compared with it, in whole seconds.
  if (seconds === 0 || seconds === -1) return 'now'
  const magnitude = Math.abs(seconds)
  const unit = AGE_UNITS.find((each) => magnitude >= each.seconds)
  const count = Math.floor(magnitude / (unit?.seconds ?? 1))
  const span = unit?.name === 'day' ? formatCount(count, unit.name) : `${count} ${unit?.name ?? 's'}`
  return seconds < 0 ? `in ${span}` : `${span} ago`
}

/** Date and time in UTC, to the second. */
export function formatTimestamp(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
