import type { Abi } from 'viem'
import type { Address } from '#primitives/hex.ts'
import type { Source } from './decoded.ts'
import type { KnownContract } from './known-contracts.ts'
import { wellKnownName } from './known-names.ts'
import { preinstalledAbi } from './preinstalled-abis.ts'
import { STANDARDS } from './standards.ts'

/** An ABI and its source. */
export interface Knowledge {
  readonly abi: Abi
  readonly source: Source
}

/** Contracts that the page remembers, by their addresses in lower case. */
export type Contracts = ReadonlyMap<Address, KnownContract>

const BY_STANDARD: readonly Knowledge[] = STANDARDS.map(({ name, abi }) => ({
  abi,
  source: { kind: 'standard', name },
}))

/** The ABI for a contract: remembered, or the same on every chain. */
export function usableContract(contracts: Contracts, address: Address): KnownContract | undefined {
  const abi = preinstalledAbi(address)
  return contracts.get(address) ?? (abi && { name: wellKnownName(address) ?? 'Contract', abi })
}

/** The ABIs for decoding calls and logs of an address, best first. */
export function knowledgeOf(contracts: Contracts, address: Address | null | undefined): readonly Knowledge[] {
  if (!address) return BY_STANDARD
  const known: Knowledge[] = []
  const remembered = contracts.get(address)
  if (remembered) known.push({ abi: remembered.abi, source: { kind: 'contract', name: remembered.name } })
  const preinstalled = preinstalledAbi(address)
  if (preinstalled) {
    known.push({ abi: preinstalled, source: { kind: 'preinstalled', name: wellKnownName(address) ?? address } })
  }
  return [...known, ...BY_STANDARD]
}
