import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import { FORK_RANGES } from '#server/cli/fork-ranges.ts'

/** A real chain to continue, and how its endpoint is asked. */
export interface ForkRequest {
  /** Address of a JSON-RPC endpoint, http: or https:. */
  readonly url: string
  /** The block after which the fork begins; below 0 so many before the newest. Default: the newest. */
  readonly blockNumber?: number
  /** The chain id that the endpoint must have. */
  readonly chainId?: number
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a request is repeated that got no usable answer; default 5. */
  readonly retries?: number
  /** Milliseconds before the first repetition, and twice as many before each next one; default 1000. */
  readonly retryBackoffMs?: number
  /** Milliseconds that a request may take; default 45000. */
  readonly timeoutMs?: number
}

/**
 * Checks the options of a fork.
 *
 * @throws {TypeError | RangeError} The message names one, and never the address, which may hold a key.
 */
export function forkCommandOf(fork: ForkRequest): ForkCommand {
  const { url, blockNumber, chainId, headers = {}, retries, retryBackoffMs, timeoutMs, ...others } = fork
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new TypeError(`fork has no option ${unknown}`)
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError('fork.url must be the address of a JSON-RPC endpoint, http: or https:')
  }
  const { MIN_SAFE_INTEGER: min, MAX_SAFE_INTEGER: max } = Number
  requireWithin('blockNumber', blockNumber, { min, max })
  requireWithin('chainId', chainId, OPTION_RANGES.chainId)
  requireWithin('retries', retries, FORK_RANGES.retries)
  requireWithin('retryBackoffMs', retryBackoffMs, FORK_RANGES.backoffMs)
  requireWithin('timeoutMs', timeoutMs, FORK_RANGES.timeoutMs)
  return {
    url,
    headers: headersOf(headers),
    retries: retries ?? FORK_RANGES.retries.default,
    backoffMs: retryBackoffMs ?? FORK_RANGES.backoffMs.default,
    timeoutMs: timeoutMs ?? FORK_RANGES.timeoutMs.default,
    ...(blockNumber !== undefined && { blockNumber }),
    ...(chainId !== undefined && { chainId }),
  }
}

/** @throws {TypeError} If there can be no such headers. */
function headersOf(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  try {
    return [...new Headers(headers)]
  } catch (error) {
    throw new TypeError('fork.headers must be names and values of HTTP headers', { cause: error })
  }
}

function requireWithin(
  name: string,
  value: number | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= min && value <= max)) return
  throw new RangeError(`fork.${name} must be a whole number from ${min} to ${max}, not ${String(value)}`)
}
