import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { DIALECTS, type DialectFacts } from '#rpc-types/dialects.ts'
import { NEXT_DEV_KEYS } from '#rpc-types/next-dev-keys.ts'
import type { DialectName, NodeOptions } from '#rpc-types/node-options.ts'
import { AT_EACH_START } from '#rpc-types/option-tables.derived.ts'
import type { ChainSpec } from '../../spec/chain-spec.ts'
import { DEV_BALANCE } from '../../spec/dev-accounts.ts'
import type { Dialect } from './dialect.ts'

/** A dialect of a node's facts, and of how it answers and refuses. */
export function dialectFrom<Context>(
  name: DialectName,
  ways: Pick<Dialect<Context>, 'lacks' | 'manners' | 'admit' | 'refuse'>,
): Dialect<Context> {
  const facts = DIALECTS[name]
  return {
    ...facts,
    name,
    withOptions: (given, isStored) => optionsWith(facts, given, isStored),
    withRules: (spec) => rulesWith(facts, spec),
    ...ways,
  }
}

/**
 * The options of a chain that takes on a dialect: what is given wins.
 *
 * @param isStored - Whether the chain goes on, which keeps the options of its start.
 */
function optionsWith(facts: DialectFacts, given: NodeOptions, isStored: boolean): NodeOptions {
  const { baseFee, ...options } = facts.options
  if (isStored) {
    const chosen = Object.entries(options).filter(([name]) => AT_EACH_START.includes(name as keyof NodeOptions))
    return { ...Object.fromEntries(chosen), ...given }
  }
  // A floor that is given may be above the first base fee of the other node.
  const accounts = [...DEV_KEYS, ...NEXT_DEV_KEYS]
    .slice(0, facts.accounts)
    .map((key) => ({ ...key, balance: DEV_BALANCE }))
  return { ...options, accounts, ...(given.minBaseFee === undefined && { baseFee }), ...given }
}

/** A chain with what another node asks of transactions. */
function rulesWith({ replacement, dropsUnpriced, capsTransactionGas }: DialectFacts, spec: ChainSpec): ChainSpec {
  return { ...spec, capsTransactionGas, pool: { ...spec.pool, replacement, dropsUnpriced } }
}
