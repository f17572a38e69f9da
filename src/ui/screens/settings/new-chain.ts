import { CHAIN_NAME_RULE, isChainName } from '#client/node/node-options-from-url.ts'
import type { ClockMode } from '#rpc-types/node-options.ts'
import { parseRangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { type RangedOption } from '#rpc-types/option-tables.derived.ts'

/** The options as typed; an empty field means the default. */
export interface NewChainInput {
  /** Name of a chain to store; empty for one in memory. */
  readonly name: string
  readonly seed: string
  readonly chainId: string
  readonly partialMs: string
  readonly partials: string
  readonly speed: string
  readonly clock: ClockMode
}

export type NewChainField = Exclude<keyof NewChainInput, 'clock'>

const RANGED: Readonly<Record<Exclude<NewChainField, 'name'>, RangedOption>> = {
  seed: 'seed',
  chainId: 'chainId',
  partialMs: 'partialMs',
  partials: 'partialsPerBlock',
  speed: 'speed',
}

/** Parameters of the address about the page, not its chain. */
const KEPT = ['theme', 'motion']

export type NewChain =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly errors: Partial<Record<NewChainField, string>> }

/**
 * The address of the live screen of a chain with these options.
 *
 * @param base - Path under which the app is served: `/` or `/blinknet/`.
 * @param search - The current query, whose appearance parameters are kept.
 */
export function newChainAddress(input: NewChainInput, base: string, search: string): NewChain {
  const errors: Partial<Record<NewChainField, string>> = {}
  const query = new URLSearchParams()
  const name = input.name.trim()
  if (name === '') query.set('storage', 'off')
  else if (isChainName(name)) query.set('chain', name)
  else errors.name = `A name has ${CHAIN_NAME_RULE}.`
  for (const [field, option] of Object.entries(RANGED) as [Exclude<NewChainField, 'name'>, RangedOption][]) {
    const text = input[field].trim()
    if (text === '') continue
    if (parseRangedOption(option, text) === undefined) errors[field] = `Enter ${rangeInWords(option)}.`
    else query.set(field, text)
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  if (input.clock === 'manual') query.set('clock', 'manual')
  const before = new URLSearchParams(search)
  for (const parameter of KEPT) {
    const value = before.get(parameter)
    if (value !== null) query.set(parameter, value)
  }
  return { ok: true, address: `${base}?${query}` }
}
