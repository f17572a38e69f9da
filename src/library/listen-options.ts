import { isLatestReading, LATEST_READINGS, type LatestReading } from '#rpc-types/connection.ts'
import { parseHost, parseOrigin, parseStreamPath, STREAM_PATH_RULE } from '#server/cli/parse-values.ts'

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: a free one. */
  readonly port?: number
  /** Whether a browser is shown the page at this address; default true. */
  readonly ui?: boolean
  /** Origins that may call besides those on localhost; `*` is every origin. */
  readonly allowOrigins?: readonly string[]
  /** Names that the server may be called by besides localhost, local addresses and `host`. */
  readonly allowHosts?: readonly string[]
  /** State that `latest` names at addresses that do not say; default `sealed`. */
  readonly latest?: LatestReading
  /** The path of Base's Flashblocks stream, such as `/ws`; default none. */
  readonly flashblocks?: string
}

type CheckedListenOptions = Required<Omit<ListenOptions, 'latest' | 'flashblocks'>> & ListenOptions

const MAX_PORT = 65_535

/**
 * Checks options that may come from JavaScript, where a wrong one would otherwise open the chain to more callers than meant,
 * or fail at each request.
 *
 * @returns All options, origins and hosts as requests have them.
 * @throws {TypeError | RangeError} The message names the option.
 */
export function checkListenOptions(options: ListenOptions): CheckedListenOptions {
  const { host = '127.0.0.1', port = 0, ui = true, allowOrigins = [], allowHosts = [], ...rest } = options
  const { latest, flashblocks, ...others } = rest
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new TypeError(`listen has no option ${unknown}`)
  if (typeof host !== 'string' || parseHost(host) === undefined) {
    throw new TypeError('host must be a host name or an address, such as 127.0.0.1 or 0.0.0.0')
  }
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw new RangeError(`port must be a whole number from 0 to ${MAX_PORT}, not ${String(port)}`)
  }
  if (typeof ui !== 'boolean') throw new TypeError('ui must be true or false')
  checkReading(latest)
  if (flashblocks !== undefined && (typeof flashblocks !== 'string' || parseStreamPath(flashblocks) === undefined)) {
    throw new TypeError(`flashblocks must be ${STREAM_PATH_RULE}`)
  }
  return {
    host,
    port,
    ui,
    allowOrigins: listOf(allowOrigins, parseOrigin, 'allowOrigins', 'origins such as https://app.example, null or *'),
    allowHosts: listOf(allowHosts, parseHost, 'allowHosts', 'host names without a port'),
    ...(latest !== undefined && { latest }),
    ...(flashblocks !== undefined && { flashblocks }),
  }
}

/** @throws {TypeError} If it is no reading of `latest`. */
export function checkReading(latest: string | undefined): void {
  if (latest !== undefined && !isLatestReading(latest)) {
    throw new TypeError(`latest must be ${LATEST_READINGS.map((reading) => `"${reading}"`).join(' or ')}`)
  }
}

function listOf(
  given: readonly string[],
  parse: (text: string) => string | undefined,
  name: string,
  words: string,
): readonly string[] {
  const wrong = new TypeError(`${name} must be a list of ${words}`)
  if (!Array.isArray(given)) throw wrong
  return given.map((text: unknown) => {
    const parsed = typeof text === 'string' ? parse(text) : undefined
    if (parsed === undefined) throw wrong
    return parsed
  })
}
