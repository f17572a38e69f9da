import type { Abi } from 'viem'
import { keccak256 } from 'viem'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { BATCH_DELEGATE } from '#rpc-types/batch-delegate.ts'
import { wellKnownName } from './known-names.ts'

/** A contract that has the same address and the same code on every chain that has it. */
export interface WellKnown {
  readonly name: string
  readonly codeHash: Hash
  /** Offsets in bytes of words that differ from chain to chain: zeros in the code that is hashed. */
  readonly immutables?: readonly number[]
  /** Loads its ABI; missing if it has no functions. */
  readonly loadAbi?: () => Promise<Abi>
  /** How a contract without functions is called. */
  readonly about?: string
  /** Whether its call data is a salt and the code to deploy. */
  readonly isDeployer?: boolean
}

const DEPLOYER = {
  codeHash: '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
  about: 'It has no functions: its call data is a salt of 32 bytes, then the code to deploy with CREATE2.',
  isDeployer: true,
} as const

/**
 * Contracts that {@link wellKnownName} names by their address have no name here. Codes of the genesis block are checked by a test;
 * the others are those of Ethereum.
 */
const CODES: readonly (readonly [Address, Omit<WellKnown, 'name'> & { readonly name?: string }])[] = [
  [
    '0xca11bde05977b3631167028862be2a173976ca11',
    {
      codeHash: '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891',
      loadAbi: async () => (await import('./abis/multicall3.ts')).MULTICALL3,
    },
  ],
  [
    '0x000000000022d473030f116ddee9f6b43ac78ba3',
    {
      codeHash: '0x463331fa7a0d5f07488e42c37b461bb56a822145c161a821fbafe7d4e916b546',
      // The chain that it was compiled for, and its domain separator there.
      immutables: [6945, 6983],
      loadAbi: async () => (await import('./abis/permit2.ts')).PERMIT2,
    },
  ],
  ['0x4e59b44847b379578588920ca78fbf26c0b4956c', DEPLOYER],
  ['0x914d7fec6aac8cd542e72bca78b30650d45643d7', DEPLOYER],
  [
    '0x0000f90827f1c53a10cb7a02335b175320002935',
    {
      codeHash: '0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d',
      about:
        'It has no functions: its call data is a block number of 32 bytes, and it answers with the hash of that block.',
    },
  ],
  [
    '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
    {
      codeHash: '0xf57acd40259872606d76197ef052f3d35588dadf919ee1f0e3cb9b62d3f4b02c',
      about:
        'It has no functions: its call data is a block’s timestamp of 32 bytes, and it answers with the root of the parent beacon block.',
    },
  ],
  [
    '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    {
      name: 'Wrapped Ether',
      codeHash: '0xd0a06b12ac47863b5c7be4185c2deaad1c61557033f56c7d4ea74429cbb25e23',
      loadAbi: async () => (await import('./abis/weth.ts')).WETH,
    },
  ],
  [
    '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
    {
      name: 'EntryPoint 0.6 (ERC-4337)',
      codeHash: '0xc93c806e738300b5357ecdc2e971d6438d34d8e4e17b99b758b1f9cac91c8e70',
      loadAbi: async () => (await import('./abis/entry-points.ts')).entryPoint06Abi,
    },
  ],
  [
    '0x0000000071727de22e5e9d8baf0edac6f37da032',
    {
      name: 'EntryPoint 0.7 (ERC-4337)',
      codeHash: '0x8db5ff695839d655407cc8490bb7a5d82337a86a6b39c3f0258aa6c3b582fc58',
      loadAbi: async () => (await import('./abis/entry-points.ts')).entryPoint07Abi,
    },
  ],
  [
    // What the initcode in @account-abstraction/contracts 0.8.0 deploys with the salt in docs/contracts.md.
    '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
    {
      name: 'EntryPoint 0.8 (ERC-4337)',
      codeHash: '0x52e8fa218675baeb4c173ed0e41ca5135d04e5f8d6333c996cf5ae5f1891b436',
      // Permit2's domain separator on the chain where it was deployed, and that chain.
      immutables: [13585, 13774],
      loadAbi: async () => (await import('./abis/entry-points.ts')).entryPoint08Abi,
    },
  ],
  [
    BATCH_DELEGATE,
    {
      name: 'Batch delegate',
      codeHash: '0xb1aaacc76bc917268177b80aedb5fff4d7aa35937aec368d6889a346f67a7967',
      loadAbi: async () => (await import('./abis/batch-delegate.ts')).BATCH_DELEGATE_ABI,
    },
  ],
]

/** By address, in lower case. */
export const WELL_KNOWN: ReadonlyMap<Address, WellKnown> = new Map(
  CODES.map(([address, known]) => [address, { ...known, name: wellKnownName(address) ?? known.name ?? address }]),
)

/** Whether a code is the one that is known. */
export function isCodeOf({ codeHash, immutables = [] }: WellKnown, code: Hex): boolean {
  let masked = code
  for (const offset of immutables) {
    const at = 2 + 2 * offset
    if (code.length < at + 64) return false
    masked = `${masked.slice(0, at) as Hex}${'0'.repeat(64)}${masked.slice(at + 64)}`
  }
  return keccak256(masked) === codeHash
}
