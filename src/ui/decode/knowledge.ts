import type { Abi } from 'viem'
import type { Address } from '#primitives/hex.ts'
import type { Source } from './decoded.ts'
import type { KnownContract } from './known-contracts.ts'
import { STANDARDS } from './standards.ts'

/** An ABI and its source. */
export interface Knowledge {
  readonly abi: Abi
  readonly source: Source
}

/** Contracts that the page knows, by their addresses in lower case: remembered, or well-known. */
export type Contracts = Pick<ReadonlyMap<Address, KnownContract>, 'get'>

const BY_STANDARD: readonly Knowledge[] = STANDARDS.map(({ name, abi }) => ({
  abi,
  source: { kind: 'standard', name },
}))

/** The ABIs for decoding calls and logs of an address, best first. */
export function knowledgeOf(contracts: Contracts, address: Address | null | undefined): readonly Knowledge[] {
  if (!address) return BY_STANDARD
  const known: Knowledge[] = []
  const remembered = contracts.get(address)
  if (remembered) {
    const kind = remembered.wellKnown ? 'well-known' : 'contract'
    known.push({ abi: remembered.abi, source: { kind, name: remembered.name } })
  }
  const behind = remembered?.implementation && contracts.get(remembered.implementation)
  if (behind) known.push({ abi: behind.abi, source: { kind: 'contract', name: behind.name } })
  return [...known, ...BY_STANDARD]
}
