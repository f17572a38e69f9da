import { createContext, useContext, useMemo } from 'react'
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
  /** As `get`, but a public endpoint is not asked for the code of whatever is on the screen. */
  readonly named: (address: Address) => KnownContract | undefined
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
  const contracts = useContext(ContractsContext)
  if (!contracts) throw new Error('useContracts needs a ContractsContext')
  return contracts
}

/** One for the whole page: a list has hundreds of addresses, and none of them follows the stores by itself. */
export const ContractsContext = createContext<FoundContracts | undefined>(undefined)

/** What {@link ContractsContext} is to have. */
export function useFoundContracts(): FoundContracts {
  const { provider, chain, devnet } = useWhere()
  const known = useKnownContracts()
  const knownCodes = useKnownCodes()
  const standings = useStandings()
  const tableOf = useSelectorTable()
  return useMemo(() => {
    const where = { provider, chain, devnet }
    const standing = (address: Address) => {
      lookLater(where, address)
      return standings.get(standingKey(chain, address))
    }
    const find = (address: Address, isAsked: boolean) => {
      const remembered = known.get(address)
      if (isAsked || remembered) lookLater(where, address)
      return contractAt(remembered, knownCodes.get(address), standings.get(standingKey(chain, address)))
    }
    return {
      get: (address) => find(address, true),
      named: (address) => find(address, devnet),
      behind: (address) => standing(address)?.behind ?? NOTHING,
      standing,
      bySelector: (key) => tableOf()?.find(key) ?? [],
    }
  }, [provider, chain, devnet, known, knownCodes, standings, tableOf])
}

/** The contract at one address, as {@link useContracts} has it. */
export function useContractAt(address: Address | null | undefined): KnownContract | undefined {
  const { get } = useContracts()
  return address ? get(address) : undefined
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
