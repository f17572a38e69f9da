import type { Abi } from 'viem'
import type { Address, Hex } from '#primitives/hex.ts'
import type { Source } from './decoded.ts'
import type { KnownContract } from './known-contracts.ts'
import { STANDARDS } from './standards.ts'

/** An ABI and its source. */
export interface Knowledge {
  readonly abi: Abi
  readonly source: Source
}

/** Contracts that the page knows, by their addresses in lower case: remembered, or well-known. */
export interface Contracts extends Pick<ReadonlyMap<Address, KnownContract>, 'get'> {
  /** The contracts whose code a proxy runs; none if it is no proxy. */
  readonly behind?: (address: Address) => readonly Address[]
  /**
   * What others have by this selector, or by an event's first topic. It is looked up for what nothing else explains, so
   * that the table is only loaded where it may help; empty before.
   */
  readonly bySelector?: (key: Hex) => readonly Knowledge[]
}

/** What standards say of any contract. */
export const BY_STANDARD: readonly Knowledge[] = STANDARDS.map(({ name, abi }) => ({
  abi,
  source: { kind: 'standard', name },
}))

/**
 * The ABIs for decoding calls and logs of an address, best first. The last ones are looked up when nothing before was
 * right.
 *
 * @param key - A selector, or an event's first topic, in lower case.
 */
export function* knowledgeOf(
  contracts: Contracts,
  address: Address | null | undefined,
  key: Hex,
): Generator<Knowledge, void> {
  yield* abisOf(contracts, address)
  yield* BY_STANDARD
  yield* contracts.bySelector?.(key) ?? []
}

/** The ABIs of a contract that the page knows. */
export function abisOf(contracts: Contracts, address: Address | null | undefined): readonly Knowledge[] {
  if (!address) return []
  const known: Knowledge[] = []
  const remembered = contracts.get(address)
  if (remembered) {
    const kind = remembered.wellKnown ? 'well-known' : 'contract'
    known.push({ abi: remembered.abi, source: { kind, name: remembered.name } })
  }
  for (const implementation of contracts.behind?.(address) ?? []) {
    const behind = contracts.get(implementation)
    if (behind) known.push({ abi: behind.abi, source: { kind: 'contract', name: behind.name } })
  }
  return known
}
