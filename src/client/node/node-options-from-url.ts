import { type ForkedChain, parseEndpoint, parseFork, type RemoteEndpoint } from '#client/session/remote-endpoint.ts'
import { CLOCK_MODES, ENGINE_NAMES, FORK_TIMES, type NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES, parseRangedOption, type RangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { CHAIN_NAME_RULE, DEFAULT_CHAIN, isChainName } from '#transport/chain-name.ts'

export { CHAIN_NAME_RULE, isChainName }

/** Options from the page's address. */
export interface OptionsFromUrl {
  /** Only the valid options of the address. */
  readonly options: NodeOptions
  /** Name of the chain that tabs share; `undefined` for one in memory that belongs to this page alone. */
  readonly chain: string | undefined
  /** The remote chain to use instead of a built-in one. */
  readonly rpc?: RemoteEndpoint
  /** The chain that the page's own continues; not beside `rpc`. */
  readonly fork?: ForkedChain
  /** One sentence for each ignored value, for people. */
  readonly warnings: readonly string[]
}

/** The numeric parameters of an address, in one list. */
const NUMBERS = [
  ['seed', 'seed'],
  ['chainId', 'chainId'],
  ['partialMs', 'partialMs'],
  ['partials', 'partialsPerBlock'],
  ['speed', 'speed'],
  ['gasLimit', 'gasLimit'],
  ['minBaseFee', 'minBaseFee'],
  ['codeSizeLimit', 'codeSizeLimit'],
] as const satisfies readonly (readonly [parameter: string, option: RangedOption])[]

/** The parameters that take words, the default first. */
const WORDS = [
  ['clock', 'mode', CLOCK_MODES],
  ['engine', 'engine', ENGINE_NAMES],
  ['forkTime', 'forkTime', FORK_TIMES],
] as const satisfies readonly (readonly [parameter: string, option: keyof NodeOptions, words: readonly string[]])[]

/** The parameters that turn something on: `on` or `off`, the default. */
const SWITCHES = [['sameTimestamp', 'allowSameTimestamp']] as const satisfies readonly (readonly [
  parameter: string,
  option: keyof NodeOptions,
])[]

/** The parameters of a page's address that describe its chain. */
export const NODE_PARAMETERS: readonly string[] = [...NUMBERS, ...WORDS, ...SWITCHES].map(([parameter]) => parameter)

/**
 * The query for these options, as far as an address can express them. Leaves out defaults, except the seed.
 *
 * @returns A query that {@link nodeOptionsFromUrl} reads.
 */
export function queryOfNodeOptions(options: NodeOptions): URLSearchParams {
  const query = new URLSearchParams()
  for (const [parameter, option] of NUMBERS) {
    const value = options[option] ?? OPTION_RANGES[option].default
    if (option === 'seed' || value !== OPTION_RANGES[option].default) query.set(parameter, String(value))
  }
  for (const [parameter, option, [usual]] of WORDS) {
    const value = options[option] ?? usual
    if (typeof value === 'string' && value !== usual) query.set(parameter, value)
  }
  for (const [parameter, option] of SWITCHES) if (options[option]) query.set(parameter, 'on')
  return query
}

/**
 * The node's options in a page's address, from the parameters in {@link NODE_PARAMETERS}, and its chain: `?chain=` by
 * name, `?storage=off` for one of this page alone, `?rpc=` for a remote one, `?fork=` for the continuation of one. Never
 * throws: an invalid value is reported, and the default is used.
 *
 * @param search - The address's query, such as `location.search`.
 */
export function nodeOptionsFromUrl(search: string): OptionsFromUrl {
  const query = new URLSearchParams(search)
  const options: { -readonly [Name in keyof NodeOptions]?: NodeOptions[Name] } = {}
  const warnings: string[] = []
  for (const [parameter, option] of NUMBERS) {
    const text = query.get(parameter)
    if (text === null) continue
    const value = parseRangedOption(option, text)
    if (value !== undefined) options[option] = value
    else warnings.push(`?${parameter}= takes ${rangeInWords(option)}, not “${text}”. The default is used.`)
  }
  for (const [parameter, option, words] of WORDS) {
    const text = query.get(parameter)
    const word = words.find((each) => each === text)
    if (word !== undefined) Object.assign(options, { [option]: word })
    else if (text !== null) {
      warnings.push(`?${parameter}= takes “${words.join('” or “')}”, not “${text}”. The default is used.`)
    }
  }
  for (const [parameter, option] of SWITCHES) {
    const text = query.get(parameter)
    if (text === 'on') options[option] = true
    else if (text !== null && text !== 'off') {
      warnings.push(`?${parameter}= takes “on” or “off”, not “${text}”. The default is used.`)
    }
  }
  const chain = chainFrom(query, warnings)
  const parameter = query.has('rpc') ? 'rpc' : 'fork'
  const text = query.get(parameter)
  if (text === null) return { options, chain, warnings }
  const parsed = parameter === 'rpc' ? parseEndpoint(text) : parseFork(text)
  if (!parsed.ok) {
    const why = `not “${text}”: ${parsed.why} The built-in chain is used.`
    warnings.push(`?${parameter}= takes the address of a chain, ${why}`)
    return { options, chain, warnings }
  }
  // A fork is in memory, of this page alone.
  if ('blockNumber' in parsed) return { options, chain: undefined, fork: parsed as ForkedChain, warnings }
  return { options, chain, rpc: parsed.endpoint, warnings }
}

function chainFrom(query: URLSearchParams, warnings: string[]): string | undefined {
  const storage = query.get('storage')
  const name = query.get('chain')
  if (storage === 'off') return undefined
  if (storage !== null) warnings.push(`?storage= takes “off”, not “${storage}”. The default is used.`)
  if (name === null || isChainName(name)) return name ?? DEFAULT_CHAIN
  warnings.push(`?chain= takes ${CHAIN_NAME_RULE}, not “${name}”. The default is used.`)
  return DEFAULT_CHAIN
}
