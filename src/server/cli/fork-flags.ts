import { parseRangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { FLAG_GROUPS, type FlagName } from './flags.ts'
import { FORK_RANGES } from './fork-ranges.ts'
import type { GivenFlags } from './read-arguments.ts'
import { numberOf, read, readAll } from './read-flag.ts'
import { UsageError } from './usage-error.ts'

/** What `--fork-url` and the flags beside it ask for. */
export interface ForkCommand {
  readonly url: string
  /** Below 0 so many before the newest; default: the newest. */
  readonly blockNumber?: number
  /** What the endpoint must have. */
  readonly chainId?: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly retries: number
  readonly backoffMs: number
  readonly timeoutMs: number
}

/** The flags that go with `--fork-url`. */
const FORK_FLAGS = Object.values(FLAG_GROUPS)
  .flatMap((flags) => (Object.hasOwn(flags, 'fork-url') ? (Object.keys(flags) as FlagName[]) : []))
  .filter((flag) => flag !== 'fork-url' && flag !== 'fork')

/** What goes without saying. Times are in milliseconds. */
export const FORK_DEFAULTS: Omit<ForkCommand, 'url'> = {
  headers: [],
  retries: FORK_RANGES.retries.default,
  backoffMs: FORK_RANGES.backoffMs.default,
  timeoutMs: FORK_RANGES.timeoutMs.default,
}

/** @throws {UsageError} If a flag makes no sense, or none names the endpoint. */
export function parseFork(given: GivenFlags): { readonly fork?: ForkCommand } {
  // anvil takes several and uses them in turn; the last one alone is not what was asked for.
  if ((given.get('fork-url') ?? []).length > 1) {
    throw new UsageError('--fork-url takes one endpoint: requests are not shared out among several.')
  }
  const at = read(given, 'fork-url', 'the address of a JSON-RPC endpoint, http: or https:', parseForkUrl)
  const number = read(given, 'fork-block-number', 'a whole number', parseBlockNumber)
  const chainId = read(given, 'fork-chain-id', rangeInWords('chainId'), (text) => parseRangedOption('chainId', text))
  const headers = readAll(given, 'fork-header', 'a header such as "Authorization: Bearer …"', parseHeader)
  const backoffMs = numberOf(given, 'fork-retry-backoff')
  const retries = numberOf(given, 'retries')
  const timeoutMs = numberOf(given, 'timeout')
  if (!at) {
    const stray = FORK_FLAGS.find((flag) => given.has(flag) && !(flag === 'fork-time' && given.has('fork')))
    if (stray !== undefined) throw new UsageError(`--${stray} is about a fork, and --fork-url says of which chain.`)
    return {}
  }
  if (at.blockNumber !== undefined && number !== undefined) {
    throw new UsageError('--fork-url has a block after its @, and --fork-block-number another: leave one out.')
  }
  const blockNumber = at.blockNumber ?? number
  return {
    fork: {
      url: at.url,
      headers,
      retries,
      backoffMs,
      timeoutMs,
      ...(blockNumber !== undefined && { blockNumber }),
      ...(chainId !== undefined && { chainId }),
    },
  }
}

/** The fork file of the command line. @throws {UsageError} If it is an address. */
export function parseForkFile(given: GivenFlags): { readonly forkFile?: string } {
  const forkFile = read(given, 'fork', 'the name of a fork file; an endpoint is --fork-url', (text) =>
    text === '' || /^https?:\/\//i.test(text) ? undefined : text,
  )
  return forkFile === undefined ? {} : { forkFile }
}

/** An address, and the block after its last @, as in Hardhat and anvil. */
export function parseForkUrl(text: string): { readonly url: string; readonly blockNumber?: number } | undefined {
  const [, url = '', block] = /^(.*?)(?:@(\d{1,15}))?$/.exec(text) ?? []
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined
  return { url, ...(block !== undefined && { blockNumber: Number(block) }) }
}

function parseBlockNumber(text: string): number | undefined {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
}

function parseHeader(text: string): readonly [name: string, value: string] | undefined {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([ -~]*)$/.exec(text) ?? []
  return name === undefined || value === undefined ? undefined : [name, value]
}
