import { parseEndpoint, type RemoteEndpoint } from '#client/session/remote-endpoint.ts'
import type { ClockMode } from '#rpc-types/devnet.ts'
import { ENGINE_NAMES, type EngineName, type NodeOptions } from '#rpc-types/node-options.ts'
import { parseRangedOption, type RangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
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

const NUMBERS = [
  ['seed', 'seed'],
  ['chainId', 'chainId'],
  ['partialMs', 'partialMs'],
  ['partials', 'partialsPerBlock'],
  ['speed', 'speed'],
  ['gasLimit', 'gasLimit'],
  ['minBaseFee', 'minBaseFee'],
] as const satisfies readonly (readonly [parameter: string, option: RangedOption])[]

/** The parameters of a page's address that say what its chain is. */
export const NODE_PARAMETERS: readonly string[] = [...NUMBERS.map(([parameter]) => parameter), 'clock', 'engine']

/**
 * The node's options in a page's address:
 * `?seed=&chainId=&partialMs=&partials=&clock=auto|manual&speed=&gasLimit=&minBaseFee=&engine=wasm|reference`, and the chain:
 * `?chain=` by its name, `?storage=off` for one of this page alone, `?rpc=` for one that runs elsewhere. Never throws; what makes no sense is left at its default and reported.
 *
 * @param search - The address's query, such as `location.search`.
 */
export function nodeOptionsFromUrl(search: string): OptionsFromUrl {
  const query = new URLSearchParams(search)
  const options: { -readonly [Name in RangedOption]?: number } & { mode?: ClockMode; engine?: EngineName } = {}
  const warnings: string[] = []
  for (const [parameter, option] of NUMBERS) {
    const text = query.get(parameter)
    if (text === null) continue
    const value = parseRangedOption(option, text)
    if (value !== undefined) options[option] = value
    else warnings.push(`?${parameter}= takes ${rangeInWords(option)}, not “${text}”. The default is used.`)
  }
  const clock = query.get('clock')
  if (clock === 'auto' || clock === 'manual') options.mode = clock
  else if (clock !== null) warnings.push(`?clock= takes “auto” or “manual”, not “${clock}”. The default is used.`)
  const text = query.get('engine')
  const engine = ENGINE_NAMES.find((name) => name === text)
  if (engine) options.engine = engine
  else if (text !== null) {
    warnings.push(`?engine= takes “${ENGINE_NAMES.join('” or “')}”, not “${text}”. The default is used.`)
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
