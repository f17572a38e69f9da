import { type ChainAddress, type ForkedChain, parseEndpoint, parseFork } from '#client/session/remote-endpoint.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { numberInWords, type OptionKind, parseNumber } from '#rpc-types/option.ts'
import { CHAIN_NAME_RULE, DEFAULT_CHAIN, isChainName } from '#transport/chain-name.ts'
import { PARAMETERS } from './parameters.derived.ts'

export { CHAIN_NAME_RULE, isChainName }

/** Options from the page's address. */
export interface OptionsFromUrl {
  /** Only the valid options of the address. */
  readonly options: NodeOptions
  /** Name of the chain that tabs share; `undefined` for one in memory that belongs to this page alone. */
  readonly chain: string | undefined
  /** The remote chain to use instead of a built-in one. */
  readonly rpc?: ChainAddress
  /** The chain that the page's own continues; not beside `rpc`. */
  readonly fork?: ForkedChain
  /** One sentence for each ignored value, for people. */
  readonly warnings: readonly string[]
}

/** The parameters of a page's address that describe its chain. */
export const NODE_PARAMETERS: readonly string[] = PARAMETERS.map(({ parameter }) => parameter)

/**
 * The query for these options, as far as an address can express them. Leaves out defaults, except the seed.
 *
 * @returns A query that {@link nodeOptionsFromUrl} reads.
 */
export function queryOfNodeOptions(options: NodeOptions): URLSearchParams {
  const query = new URLSearchParams()
  for (const { parameter, option, kind } of PARAMETERS) {
    const value = options[option]
    if (kind.is === 'number') {
      const number = typeof value === 'number' ? value : kind.default
      if (option === 'seed' || number !== kind.default) query.set(parameter, String(number))
    } else if (kind.is === 'word') {
      if (typeof value === 'string' && value !== kind.words[0]) query.set(parameter, value)
    } else if (value === true) query.set(parameter, 'on')
  }
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
  for (const { parameter, option, kind } of PARAMETERS) {
    const text = query.get(parameter)
    if (text === null) continue
    const read = readOption(kind, text)
    if (!('value' in read)) warnings.push(`?${parameter}= takes ${read.takes}, not “${text}”. The default is used.`)
    else if (read.value !== undefined) Object.assign(options, { [option]: read.value })
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

/** The value of an option in an address, `undefined` for its default, or what it takes in words. */
function readOption(kind: OptionKind, text: string): { readonly value: unknown } | { readonly takes: string } {
  if (kind.is === 'number') {
    const value = parseNumber(kind, text)
    return value === undefined ? { takes: numberInWords(kind) } : { value }
  }
  const words = kind.is === 'word' ? kind.words : ['on', 'off']
  if (!words.includes(text)) return { takes: `“${words.join('” or “')}”` }
  if (kind.is === 'word') return { value: text }
  return { value: text === 'on' ? true : undefined }
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
