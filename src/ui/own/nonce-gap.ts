import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'

/** The nonces from `first` to `last`, inclusive. */
export interface NonceRange {
  readonly first: number
  readonly last: number
}

/** The missing nonces that an account's transactions wait for. */
export interface NonceGap {
  readonly address: Address
  /** In ascending order; never empty. */
  readonly missing: readonly NonceRange[]
  /** Number of transactions behind the first missing nonce. */
  readonly waiting: number
}

/** Most missing nonces filled with one press. */
export const MAX_FILLED = 100
/** How many ranges are named. */
const NAMED = 3

/**
 * The nonces below `end` that are neither used nor in the mempool.
 *
 * @param nextNonce - The lowest unused nonce.
 * @param taken - Nonces of transactions in the mempool, in any order.
 */
export function missingNonces(nextNonce: number, taken: Iterable<number>, end: number): readonly NonceRange[] {
  const ranges: NonceRange[] = []
  let first = nextNonce
  for (const nonce of [...[...taken].filter((each) => each < end).sort((a, b) => a - b), end]) {
    if (nonce > first) ranges.push({ first, last: nonce - 1 })
    first = Math.max(first, nonce + 1)
  }
  return ranges
}

/** Nonces in words, such as “nonce 3” and “nonces 0–2 and 4”. */
export function nonceWords(ranges: readonly NonceRange[]): string {
  const named = ranges.slice(0, NAMED).map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`))
  const [only] = ranges
  if (only && ranges.length === 1 && only.first === only.last) return `nonce ${named[0]}`
  if (ranges.length > NAMED) return `nonces ${named.join(', ')} and more`
  const last = named.pop()
  return named.length === 0 ? `nonces ${last}` : `nonces ${named.join(', ')} and ${last}`
}

/** How many transactions wait, as the beginning of a sentence: “1 transaction waits”. */
export function waitingWords(count: number): string {
  return `${formatCount(count, 'transaction')} ${count === 1 ? 'waits' : 'wait'}`
}

/** The first missing nonces, up to {@link MAX_FILLED}. */
export function fillable(missing: readonly NonceRange[]): readonly NonceRange[] {
  const ranges: NonceRange[] = []
  let left = MAX_FILLED
  for (const { first, last } of missing) {
    if (left === 0) break
    const end = Math.min(last, first + left - 1)
    left -= end - first + 1
    ranges.push({ first, last: end })
  }
  return ranges
}

/**
 * Finds the nonce gap of an account.
 *
 * @param below - Only gaps before this nonce; by default before the account's highest.
 * @returns `undefined` if no transaction waits behind a gap.
 * @throws {ProviderRpcError}
 */
export async function fetchNonceGap(
  provider: BlinknetProvider,
  address: Address,
  below?: number,
): Promise<NonceGap | undefined> {
  const [count, { queued }] = await Promise.all([
    provider.request({ method: 'eth_getTransactionCount', params: [address, 'pending'] }),
    provider.request({ method: 'txpool_contentFrom', params: [address] }),
  ])
  const waiting = Object.keys(queued).map(Number)
  if (waiting.length === 0) return undefined
  const missing = missingNonces(Number(count), waiting, below ?? Math.max(...waiting))
  return missing.length === 0 ? undefined : { address, missing, waiting: waiting.length }
}
