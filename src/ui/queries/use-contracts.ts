import { useMemo } from 'react'
import type { Address, Hash } from '#primitives/hex.ts'
import type { Contracts } from '#ui/decode/knowledge.ts'
import { type KnownContract, useKnownCodes, useKnownContracts } from '#ui/decode/known-contracts.ts'
import { useSelectorTable } from './selector-table.ts'
import type { CodeStanding } from './standing.ts'
import { lookLater, standingKey, useStandings, useWhere } from './standings.ts'

/** No proxy. */
const NOTHING: readonly Address[] = []

/** The contracts of a chain, as `Contracts`, and whether an address was looked at. */
export interface FoundContracts extends Contracts {
  readonly behind: (address: Address) => readonly Address[]
  /** What stands there, if that was looked up. */
  readonly standing: (address: Address) => CodeStanding | undefined
}

/**
 * The contracts that the page remembers, as long as their code stands there; otherwise those whose code the page or the node
 * has a build of, and well-known ones. An address is looked at once something asks for it. What none of them explains is
 * looked up by selector.
 */
export function useContracts(): FoundContracts {
  const { provider, chain, devnet } = useWhere()
  const known = useKnownContracts()
  const knownCodes = useKnownCodes()
  const standings = useStandings()
  const tableOf = useSelectorTable()
  return useMemo(() => {
    const at = (address: Address) => {
      lookLater({ provider, chain, devnet }, address)
      return standings.get(standingKey(chain, address))
    }
    return {
      get: (address) => contractAt(known.get(address), knownCodes.get(address), at(address)),
      behind: (address) => at(address)?.behind ?? NOTHING,
      standing: at,
      bySelector: (key) => tableOf()?.find(key) ?? [],
    }
  }, [provider, chain, devnet, known, knownCodes, standings, tableOf])
}

/**
 * The contract at one address, as {@link useContracts} has it.
 *
 * @param address - In lower case, as the node returns it.
 * @param isAsked - Whether to look at an address that the page does not remember.
 */
export function useContractAt(address: Address | null | undefined, isAsked = true): KnownContract | undefined {
  const where = useWhere()
  const remembered = useKnownContracts((known) => (address ? known.get(address) : undefined))
  const had = useKnownCodes((codes) => (address ? codes.get(address) : undefined))
  const standing = useStandings((all) => (address ? all.get(standingKey(where.chain, address)) : undefined))
  if (address && (isAsked || remembered)) lookLater(where, address)
  return contractAt(remembered, had, standing)
}

/**
 * The contract at an address: the remembered one, unless other code than it had stands there now. Where there is no code it
 * stays: its deployment was withdrawn, and may come again.
 *
 * @param had - Hash of the code of the remembered one, if that is known.
 */
export function contractAt(
  remembered: KnownContract | undefined,
  had: Hash | undefined,
  standing: CodeStanding | undefined,
): KnownContract | undefined {
  if (remembered && !isReplaced(had, standing)) return remembered
  return standing?.contract
}

/** Whether other code stands at an address than the remembered contract had. */
export function isReplaced(had: Hash | undefined, standing: CodeStanding | undefined): boolean {
  return had !== undefined && standing !== undefined && had !== standing.codeHash
}
