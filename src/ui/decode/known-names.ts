import type { Address } from '#primitives/hex.ts'

/**
 * Well-known contracts with the same address on every chain. Their addresses follow from their code or are the
 * protocol's, so only a chain whose state was set otherwise has other code there. A name says what the address is known
 * for; what depends on the code, such as the ABI, is taken from `well-known.ts`, which compares it, and which also names
 * contracts that are known only by their code.
 */
const NAMES: Readonly<Record<Address, string>> = {
  '0xca11bde05977b3631167028862be2a173976ca11': 'Multicall3',
  '0x000000000022d473030f116ddee9f6b43ac78ba3': 'Permit2',
  '0x4e59b44847b379578588920ca78fbf26c0b4956c': 'CREATE2 deployer',
  '0x914d7fec6aac8cd542e72bca78b30650d45643d7': 'Safe factory',
  '0x0000f90827f1c53a10cb7a02335b175320002935': 'Block hashes (EIP-2935)',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02': 'Beacon roots (EIP-4788)',
}

/** The well-known contracts and their names. */
export const LASTING_CONTRACTS = Object.entries(NAMES) as readonly (readonly [Address, string])[]

/** The precompiled contracts 0x01 to 0x11, in order. */
const PRECOMPILES = [
  'ecRecover',
  'sha256',
  'ripemd160',
  'identity',
  'modexp',
  'bn254 add',
  'bn254 mul',
  'bn254 pairing',
  'blake2f',
  'KZG point evaluation',
  'BLS12-381 G1 add',
  'BLS12-381 G1 MSM',
  'BLS12-381 G2 add',
  'BLS12-381 G2 MSM',
  'BLS12-381 pairing',
  'BLS12-381 map to G1',
  'BLS12-381 map to G2',
] as const
/** EIP-7951. */
const P256_VERIFY = 0x100n

/**
 * The name of a well-known contract; `undefined` for all others.
 *
 * @param address - In lower case.
 */
export function wellKnownName(address: Address): string | undefined {
  const name = Object.hasOwn(NAMES, address) ? NAMES[address] : undefined
  return name ?? precompileName(address)
}

/** @param address - In lower case. */
export function precompileName(address: Address): string | undefined {
  if (!address.startsWith('0x000000000000000000000000000000000000')) return undefined
  const number = BigInt(address)
  return number === P256_VERIFY ? 'P256 verify' : PRECOMPILES[Number(number) - 1]
}
