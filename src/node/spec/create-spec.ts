import { momentSeconds } from '#primitives/unix-time.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES, type OptionRange, type RangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { VERSION } from '#rpc-types/version.ts'
import type { ChainSpec } from './chain-spec.ts'
import { checkOptions } from './check-options.ts'
import { createDevAccounts } from './dev-accounts.ts'
import { createGenesisAlloc } from './genesis-alloc.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { parseAddressOption, parseNameOption, quote } from './parse-option.ts'

/**
 * The chain described by the options, with defaults filled in.
 *
 * @throws {InvalidOptionError} If a value is invalid, alone or together with others.
 */
export function createSpec(options: NodeOptions): ChainSpec {
  checkOptions(options)
  const mode = options.mode ?? 'auto'
  const integer = (name: RangedOption, fallback: number = OPTION_RANGES[name].default): number => {
    const { min, max, isMoment }: OptionRange = OPTION_RANGES[name]
    const given = options[name] ?? fallback
    const value = isMoment && Number.isSafeInteger(given) ? momentSeconds(given) : given
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value
    throw new InvalidOptionError(`${name} must be ${rangeInWords(name)}, not ${quote(given)}`)
  }
  /** Two options of which the first must not exceed the second; a default adapts to the given value. */
  const ordered = (lower: RangedOption, upper: RangedOption) => {
    const most = integer(upper, Math.max(OPTION_RANGES[upper].default, integer(lower)))
    const least = integer(lower, Math.min(OPTION_RANGES[lower].default, most))
    if (least <= most) return [least, most] as const
    throw new InvalidOptionError(`${upper} must be at least ${lower}, which is ${least}, not ${most}`)
  }
  const [minBaseFee, baseFee] = ordered('minBaseFee', 'baseFee')
  const [safeDistance, finalizedDistance] = ordered('safeDistance', 'finalizedDistance')
  const accounts = createDevAccounts(options.accounts)
  return {
    clientVersion: parseNameOption(options.clientVersion ?? `Blinknet/v${VERSION}`, 'clientVersion'),
    chainId: integer('chainId'),
    seed: integer('seed'),
    mode,
    partialMs: integer('partialMs'),
    partialsPerBlock: integer('partialsPerBlock'),
    gasLimit: BigInt(integer('gasLimit')),
    baseFeeDenominator: integer('baseFeeDenominator'),
    baseFeeElasticity: integer('baseFeeElasticity'),
    minBaseFee: BigInt(minBaseFee),
    suggestedTip: BigInt(integer('suggestedTip')),
    genesisBaseFee: BigInt(baseFee),
    genesisTimestamp:
      mode === 'manual' || options.genesisTimestamp !== undefined ? integer('genesisTimestamp') : undefined,
    forkTime: options.forkTime ?? 'block',
    coinbase: parseAddressOption(options.coinbase ?? '0x4200000000000000000000000000000000000011', 'coinbase'),
    accounts,
    alloc: createGenesisAlloc(accounts, options.genesis),
    tickBudgetMs: integer('tickBudgetMs'),
    safeDistance,
    finalizedDistance,
    allowSameTimestamp: options.allowSameTimestamp ?? false,
    allowUnprotected: options.allowUnprotected ?? false,
    codeSizeLimit: integer('codeSizeLimit'),
    allowForeignTypedData: options.allowForeignTypedData ?? false,
    throwOnTransactionFailures: options.throwOnTransactionFailures ?? false,
    pool: { maxPending: 10_000, maxQueued: 2_000, maxPerSender: 2_000 },
    callGasLimit: 50_000_000n,
    callTimeoutMs: 5_000,
  }
}

/**
 * The options of a chain that differ from their defaults and affect its blocks: the clock's mode, the numbers, a fork's
 * time and whether blocks may share a second, without the accounts. A chain with the same accounts and these options has
 * the same blocks.
 */
export function changedOptions(spec: ChainSpec): NodeOptions {
  const numbers: Partial<Record<RangedOption, unknown>> = {
    ...spec,
    baseFee: spec.genesisBaseFee,
    tickBudgetMs: undefined,
    safeDistance: undefined,
    finalizedDistance: undefined,
  }
  const changed: { -readonly [Name in RangedOption]?: number } = {}
  for (const [name, range] of Object.entries(OPTION_RANGES) as [RangedOption, OptionRange][]) {
    const value = numbers[name]
    if (value !== undefined && Number(value) !== range.default) changed[name] = Number(value)
  }
  const { allowSameTimestamp, forkTime, mode } = spec
  return {
    ...changed,
    ...(mode === 'manual' && { mode }),
    ...(forkTime !== 'block' && { forkTime }),
    ...(allowSameTimestamp && { allowSameTimestamp }),
  }
}
