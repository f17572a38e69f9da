import type { Address } from '#primitives/hex.ts'
import { type HardforkName, isSince } from './rules.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from './system-contracts.ts'

const NAMES = [
  'ECREC',
  'SHA256',
  'RIPEMD160',
  'ID',
  'MODEXP',
  'BN254_ADD',
  'BN254_MUL',
  'BN254_PAIRING',
  'BLAKE2F',
  'KZG_POINT_EVALUATION',
  'BLS12_G1ADD',
  'BLS12_G1MSM',
  'BLS12_G2ADD',
  'BLS12_G2MSM',
  'BLS12_PAIRING_CHECK',
  'BLS12_MAP_FP_TO_G1',
  'BLS12_MAP_FP2_TO_G2',
]

const precompile = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

/** Precompiled contracts of Osaka by the names of EIP-7910. */
export const PRECOMPILES: Readonly<Record<string, Address>> = {
  ...Object.fromEntries(NAMES.map((name, i) => [name, precompile(i + 1)])),
  P256VERIFY: precompile(0x100),
}

/** A precompiled contract's name with its address, for people. */
export function precompileName(number: number): string {
  const name = Object.entries(PRECOMPILES).find(([, address]) => Number(address) === number)?.[0]
  return `${name ?? 'without a name'} (0x${number.toString(16).padStart(2, '0')})`
}

/** Number of precompiled contracts in Cancun: the first of the names. */
const CANCUN_COUNT = 10

/** Addresses of the precompiled contracts under the rules of a hardfork. */
export function precompilesOf(hardfork: HardforkName): readonly Address[] {
  if (isSince(hardfork, 'Osaka')) return Object.values(PRECOMPILES)
  return NAMES.slice(0, isSince(hardfork, 'Prague') ? undefined : CANCUN_COUNT).map((_, i) => precompile(i + 1))
}

/**
 * Contracts called by the protocol, by the names of EIP-7910. Without those for execution requests, which this chain
 * lacks.
 */
export const SYSTEM_CONTRACTS: Readonly<Record<string, Address>> = { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS }

/** No blobs fit into a block. The fraction is Osaka's. */
export const BLOB_SCHEDULE = { baseFeeUpdateFraction: 5_007_716, max: 0, target: 0 } as const
