/** What test runners make of `expect.any(…)` and the like. */
interface AsymmetricMatcher {
  asymmetricMatch(actual: unknown): boolean
  /** What it is called in messages. */
  toAsymmetricMatcher?(): string
}

/**
 * Whether a value is what a test wants: hex in any case, numbers and `bigint` alike, of an object only the members that are
 * wanted, and what the runner's own matchers (`expect.any`) say. A wanted `undefined` is anything.
 */
export function isWantedValue(actual: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true
  if (isAsymmetric(wanted)) return wanted.asymmetricMatch(actual)
  if (isNumeric(actual) && isNumeric(wanted)) return isSameNumber(actual, wanted)
  if (typeof actual === 'string' && typeof wanted === 'string') {
    return actual === wanted || (/^0x/i.test(wanted) && actual.toLowerCase() === wanted.toLowerCase())
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length) return false
    return wanted.every((each: unknown, i) => isWantedValue(actual[i], each))
  }
  if (!isObject(wanted) || !isObject(actual)) return Object.is(actual, wanted)
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(actual, name) && isWantedValue(actual[name], value),
  )
}

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

function isSameNumber(one: number | bigint, other: number | bigint): boolean {
  const isWhole = (value: number | bigint) => typeof value === 'bigint' || Number.isInteger(value)
  return isWhole(one) && isWhole(other) && BigInt(one) === BigInt(other)
}

/** Whether a value has members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Whether a value is one of a test runner's own matchers. */
export function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof value['asymmetricMatch'] === 'function'
}

/** Longest text of a value, in characters. */
const LONGEST = 500

/** A value as a failure shows it. */
export function showValue(value: unknown): string {
  const text = show(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function show(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return /^0x[\da-f]*$/i.test(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (isAsymmetric(value)) return value.toAsymmetricMatcher?.() ?? 'what the test runner’s matcher takes'
  if (!isObject(value)) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name}: ${show(each)}`)
    .join(', ')} }`
}
