import { momentSeconds } from '#primitives/unix-time.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { OptionKind } from '#rpc-types/option.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { IN_BLOCKS, OPTION_KINDS, type RangedOption } from '#rpc-types/option-tables.derived.ts'
import { VERSION } from '#rpc-types/version.ts'
import type { ChainSpec, PlainOptions } from './chain-spec.ts'
import { checkOptions } from './check-options.ts'
import { createDevAccounts } from './dev-accounts.ts'
import { createGenesisAlloc, parseFunds } from './genesis-alloc.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { parseAddressOption } from './parse-option.ts'

/**
 * The chain described by the options, with defaults filled in.
 *
 * @throws {InvalidOptionError} If a value is invalid, alone or together with others.
 */
export function createSpec(options: NodeOptions): ChainSpec {
  checkOptions(options)
  const plain = withDefaults(options)
  const [minBaseFee, baseFee] = inOrder(options, 'minBaseFee', 'baseFee')
  const [safeDistance, finalizedDistance] = inOrder(options, 'safeDistance', 'finalizedDistance')
  const accounts = createDevAccounts(options.accounts)
  const funded = parseFunds(options.fundAccounts)
  const isTimed = plain.mode === 'manual' || options.genesisTimestamp !== undefined
  return {
    ...plain,
    gasLimit: BigInt(plain.gasLimit),
    minBaseFee: BigInt(minBaseFee),
    suggestedTip: BigInt(plain.suggestedTip),
    baseFee: BigInt(baseFee),
    genesisTimestamp: isTimed ? momentSeconds(plain.genesisTimestamp) : undefined,
    forkTime: typeof plain.forkTime === 'number' ? momentSeconds(plain.forkTime) : plain.forkTime,
    coinbase: parseAddressOption(plain.coinbase, 'coinbase'),
    accounts,
    alloc: createGenesisAlloc(accounts, options.genesis, funded),
    funded,
    safeDistance,
    finalizedDistance,
    pool: { maxPending: 10_000, maxQueued: 2_000, maxPerSender: 2_000, replacement: 'tenth', dropsUnpriced: false },
    capsTransactionGas: true,
    callGasLimit: 50_000_000n,
    callTimeoutMs: 5_000,
  }
}

/** The options but for the accounts, each with a value. */
function withDefaults(options: NodeOptions): PlainOptions {
  const { accounts: _accounts, genesis: _genesis, fundAccounts: _funds, ...kinds } = OPTION_KINDS
  const names = Object.keys(kinds) as (keyof PlainOptions)[]
  return Object.fromEntries(
    names.map((name) => [name, options[name] ?? defaultOf(kinds[name])]),
  ) as unknown as PlainOptions
}

function defaultOf(kind: OptionKind): unknown {
  switch (kind.is) {
    case 'number':
    case 'address':
      return kind.default
    case 'word':
      return kind.words[0]
    case 'switch':
      return false
    case 'name':
      return `Blinknet/v${VERSION}`
    case 'accounts':
    case 'genesis':
    case 'balances':
      return undefined
    default:
      return kind satisfies never
  }
}

/**
 * Two options of which the first must not exceed the second. The default of one adapts to the value given for the other.
 *
 * @throws {InvalidOptionError} If they are given in another order.
 */
function inOrder(options: NodeOptions, lower: RangedOption, upper: RangedOption): readonly [number, number] {
  const most = options[upper] ?? Math.max(OPTION_RANGES[upper].default, options[lower] ?? OPTION_RANGES[lower].default)
  const least = options[lower] ?? Math.min(OPTION_RANGES[lower].default, most)
  if (least <= most) return [least, most]
  throw new InvalidOptionError(`${upper} must be at least ${lower}, which is ${least}, not ${most}`)
}

/**
 * The options of a chain that differ from their defaults and that its blocks depend on, without the accounts. A chain with
 * the same accounts and these options has the same blocks.
 */
export function changedOptions(spec: ChainSpec): NodeOptions {
  const changed = IN_BLOCKS.flatMap((name) => {
    const value = spec[name as keyof PlainOptions]
    const plain = typeof value === 'bigint' ? Number(value) : value
    return plain === undefined || plain === defaultOf(OPTION_KINDS[name]) ? [] : [[name, plain] as const]
  })
  return Object.fromEntries(changed)
}
