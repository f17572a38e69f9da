import { parseEndpoint, type RemoteEndpoint } from '#client/session/remote-endpoint.ts'
import { CLOCK_MODES, ENGINE_NAMES, type NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES, parseRangedOption, type RangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { CHAIN_NAME_RULE, DEFAULT_CHAIN, isChainName } from '#transport/chain-name.ts'

export { CHAIN_NAME_RULE, isChainName }

/** Options from the page's address. */
export interface OptionsFromUrl {
  /** Only what the address names, and names well. */
  readonly options: NodeOptions
  /** Name of the chain that tabs share; `undefined` for one that is this page's alone, in memory. */
  readonly chain: string | undefined
  /** The chain that the page is to attach to in place of its own. */
  readonly rpc?: RemoteEndpoint
  /** One sentence for each value that was left out, for people. */
  readonly warnings: readonly string[]
}

/** The numbers of an address: the one list of them. */
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

/** The words of an address, the default first. */
const WORDS = [
  ['clock', 'mode', CLOCK_MODES],
  ['engine', 'engine', ENGINE_NAMES],
] as const satisfies readonly (readonly [parameter: string, option: keyof NodeOptions, words: readonly string[]])[]

/** The parameters of a page's address that say what its chain is. */
export const NODE_PARAMETERS: readonly string[] = [...NUMBERS, ...WORDS].map(([parameter]) => parameter)

/**
 * The query that asks for these options, as far as an address can. Defaults are left out, but for the seed.
 *
 * @returns What {@link nodeOptionsFromUrl} reads.
 */
export function queryOfNodeOptions(options: NodeOptions): URLSearchParams {
  const query = new URLSearchParams()
  for (const [parameter, option] of NUMBERS) {
    const value = options[option] ?? OPTION_RANGES[option].default
    if (option === 'seed' || value !== OPTION_RANGES[option].default) query.set(parameter, String(value))
  }
  for (const [parameter, option, [usual]] of WORDS) {
    const value = options[option] ?? usual
    if (value !== undefined && value !== usual) query.set(parameter, value)
  }
  return query
}

/**
 * The node's options in a page's address, from the parameters in {@link NODE_PARAMETERS}, and the chain: `?chain=` by its
 * name, `?storage=off` for one of this page alone, `?rpc=` for one that runs elsewhere. Never throws; what makes no sense
 * is left at its default and reported.
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
  const chain = chainFrom(query, warnings)
  const rpc = query.get('rpc')
  if (rpc === null) return { options, chain, warnings }
  const parsed = parseEndpoint(rpc)
  if (parsed.ok) return { options, chain, rpc: parsed.endpoint, warnings }
  warnings.push(`?rpc= takes the address of a chain, not “${rpc}”: ${parsed.why} The built-in chain is used.`)
  return { options, chain, warnings }
}

/**
 * Whether a load that the page's address asks for may begin without a click. Anyone can write an address, so it may only
 * on a chain in memory that is this page's alone.
 */
export function mayActUnasked({ chain, rpc }: { chain: string | undefined; rpc?: unknown }): boolean {
  return chain === undefined && rpc === undefined
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
