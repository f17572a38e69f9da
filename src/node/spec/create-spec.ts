import type { NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES, type RangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import { VERSION } from '#rpc-types/version.ts'
import type { ChainSpec } from './chain-spec.ts'
import { checkOptions } from './check-options.ts'
import { createDevAccounts } from './dev-accounts.ts'
import { createGenesisAlloc } from './genesis-alloc.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { parseAddressOption, parseNameOption, quote } from './parse-option.ts'

/** 2025-01-01 00:00:00 UTC: a chain on a manual clock starts here, so that its hashes repeat. */
const MANUAL_GENESIS_TIMESTAMP = 1_735_689_600

/**
 * The chain that the options describe, every gap filled with its default.
 *
 * @throws {InvalidOptionError} If a value makes no sense, by itself or beside the others.
 */
export function createSpec(options: NodeOptions): ChainSpec {
  checkOptions(options)
  const mode = options.mode ?? 'auto'
  const integer = (name: RangedOption, fallback: number): number => {
    const value = options[name] ?? fallback
    const { min, max } = OPTION_RANGES[name]
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value
    throw new InvalidOptionError(`${name} must be ${rangeInWords(name)}, not ${quote(value)}`)
  }
  /** Two options of which the first must not exceed the second; a default makes room for what was asked for. */
  const ordered = (lower: RangedOption, lowerDefault: number, upper: RangedOption, upperDefault: number) => {
    const most = integer(upper, Math.max(upperDefault, integer(lower, lowerDefault)))
    const least = integer(lower, Math.min(lowerDefault, most))
    if (least <= most) return [least, most] as const
    throw new InvalidOptionError(`${upper} must be at least ${lower}, which is ${least}, not ${most}`)
  }
  const [minBaseFee, baseFee] = ordered('minBaseFee', 5_000_000, 'baseFee', 1_000_000_000)
  const [safeDistance, finalizedDistance] = ordered('safeDistance', 32, 'finalizedDistance', 64)
  const accounts = createDevAccounts(options.accounts)
  return {
    clientVersion: parseNameOption(options.clientVersion ?? `Blinknet/v${VERSION}`, 'clientVersion'),
    chainId: integer('chainId', 31337),
    seed: integer('seed', 1),
    mode,
    partialMs: integer('partialMs', 200),
    partialsPerBlock: integer('partialsPerBlock', 10),
    gasLimit: BigInt(integer('gasLimit', 400_000_000)),
    baseFeeDenominator: integer('baseFeeDenominator', 250),
    baseFeeElasticity: integer('baseFeeElasticity', 6),
    minBaseFee: BigInt(minBaseFee),
    genesisBaseFee: BigInt(baseFee),
    genesisTimestamp:
      mode === 'manual' || options.genesisTimestamp !== undefined
        ? integer('genesisTimestamp', MANUAL_GENESIS_TIMESTAMP)
        : undefined,
    coinbase: parseAddressOption(options.coinbase ?? '0x4200000000000000000000000000000000000011', 'coinbase'),
    accounts,
    alloc: createGenesisAlloc(accounts, options.genesis),
    tickBudgetMs: integer('tickBudgetMs', 120),
    safeDistance,
    finalizedDistance,
    allowUnprotected: options.allowUnprotected ?? false,
    allowForeignTypedData: options.allowForeignTypedData ?? false,
    pool: { maxPending: 10_000, maxQueued: 2_000, maxPerSender: 2_000 },
    callGasLimit: 50_000_000n,
    callTimeoutMs: 5_000,
  }
}
