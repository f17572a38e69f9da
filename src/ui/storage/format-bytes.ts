const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** An amount of storage, in units of 1,000: `1 byte`, `12.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte'
  let value = bytes
  let unit = 0
  // An amount that would be shown as 1000 becomes 1 of the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const decimals = unit === 0 || value >= 99.95 ? 0 : 1
  return `${value.toFixed(decimals)} ${UNITS[unit]}`
}
