import type { Address } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES, type RangedOption, rangeInWords } from '#rpc-types/option-ranges.ts'
import type { ChainSpec, GenesisAccount } from './chain-spec.ts'
import {
  BEACON_ROOTS_ADDRESS,
  BEACON_ROOTS_CODE,
  HISTORY_STORAGE_ADDRESS,
  HISTORY_STORAGE_CODE,
} from './system-contracts.ts'

/** 2025-01-01 00:00:00 UTC: a chain on a manual clock starts here, so that its hashes repeat. */
const MANUAL_GENESIS_TIMESTAMP = 1_735_689_600
/** 10,000 ETH. */
const DEV_BALANCE_WEI = 10_000n * 10n ** 18n

/** An option has a value that no chain can run with; the message names both. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError'
}

/**
 * The chain that the options describe, every gap filled with its default.
 *
 * @throws {InvalidOptionError} If a number is out of its range.
 */
export function createSpec(options: NodeOptions): ChainSpec {
  const mode = options.mode ?? 'auto'
  const integer = (name: RangedOption, fallback: number): number => {
    const value = options[name] ?? fallback
    const { min, max } = OPTION_RANGES[name]
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value
    throw new InvalidOptionError(`${name} must be ${rangeInWords(name)}, not ${value}`)
  }
  return {
    chainId: integer('chainId', 31337),
    seed: integer('seed', 1),
    mode,
    partialMs: integer('partialMs', 200),
    partialsPerBlock: integer('partialsPerBlock', 10),
    gasLimit: BigInt(integer('gasLimit', 400_000_000)),
    baseFeeDenominator: integer('baseFeeDenominator', 250),
    baseFeeElasticity: integer('baseFeeElasticity', 6),
    minBaseFee: BigInt(integer('minBaseFee', 5_000_000)),
    genesisBaseFee: 1_000_000_000n,
    genesisTimestamp: mode === 'manual' ? MANUAL_GENESIS_TIMESTAMP : undefined,
    coinbase: '0x4200000000000000000000000000000000000011',
    alloc: genesisAlloc(),
    tickBudgetMs: 120,
    safeDistance: 32,
    finalizedDistance: 64,
    allowUnprotected: options.allowUnprotected ?? false,
    pool: { maxPending: 10_000, maxQueued: 2_000, maxPerSender: 2_000 },
    callGasLimit: 50_000_000n,
    callTimeoutMs: 5_000,
  }
}

function genesisAlloc(): Record<Address, GenesisAccount> {
  const alloc: Record<Address, GenesisAccount> = {
    [HISTORY_STORAGE_ADDRESS]: { balance: 0n, nonce: 1n, code: HISTORY_STORAGE_CODE },
    [BEACON_ROOTS_ADDRESS]: { balance: 0n, nonce: 1n, code: BEACON_ROOTS_CODE },
  }
  for (const { address } of DEV_KEYS) alloc[address] = { balance: DEV_BALANCE_WEI }
  return alloc
}
