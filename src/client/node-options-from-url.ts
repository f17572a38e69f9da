import type { ClockMode } from '#rpc-types/devnet.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { parseRangedOption, type RangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'

/** What the page's address asks for. */
export interface OptionsFromUrl {
  /** Only what the address names, and names well. */
  readonly options: NodeOptions
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

/**
 * The node's options in a page's address:
 * `?seed=&chainId=&partialMs=&partials=&clock=auto|manual&speed=&gasLimit=&minBaseFee=`.
 * Never throws; what makes no sense is left at its default and reported.
 *
 * @param search - The address's query, such as `location.search`.
 */
export function nodeOptionsFromUrl(search: string): OptionsFromUrl {
  const query = new URLSearchParams(search)
  const options: { -readonly [Name in RangedOption]?: number } & { mode?: ClockMode } = {}
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
  return { options, warnings }
}
