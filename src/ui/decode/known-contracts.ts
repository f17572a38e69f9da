import type { Abi } from 'viem'
import { create } from 'zustand'
import type { Address, Hash } from '#primitives/hex.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'

/** A contract that the page knows: its ABI and its name. */
export interface KnownContract {
  readonly name: string
  readonly abi: Abi
  /** In Solidity, where the page compiled it. */
  readonly source?: string | undefined
  /** The transaction that deployed it, where the page sent that. */
  readonly deployment?: Hash | undefined
}

/** By address; in the order in which they became known. `keep-contracts.ts` has them outlive the page. */
export const useKnownContracts = create<ReadonlyMap<Address, KnownContract>>(() => new Map())

/** Those that were sent to the chain and are in no block yet, by the hash of their transaction. */
export const useAwaitedContracts = create<ReadonlyMap<Hash, KnownContract>>(() => new Map())

/** Has logs, traces and calls of a contract decoded from now on. */
export function rememberContract(address: Address, contract: KnownContract): void {
  // The name may be a file's, or another program's.
  const named = { ...contract, name: othersText(contract.name, LONGEST_NAME) }
  useKnownContracts.setState((known) => new Map(known).set(address, named), true)
}

/** The opposite of {@link rememberContract}. */
export function forgetContract(address: Address): void {
  useKnownContracts.setState((known) => new Map([...known].filter(([other]) => other !== address)), true)
}

/** @param address - In lower case, as the node answers it. */
export function useKnownContract(address: Address | null | undefined): KnownContract | undefined {
  return useKnownContracts((known) => (address ? known.get(address) : undefined))
}

/** All of them, for what has to do with several at once. */
export function useContracts(): ReadonlyMap<Address, KnownContract> {
  return useKnownContracts()
}

/** Keeps sent deployments until their outcome is known. */
export function awaitContract(hash: Hash, contract: KnownContract): void {
  useAwaitedContracts.setState((awaited) => new Map(awaited).set(hash, contract), true)
}

/** Ends the wait. @param address - Where it is now; `undefined` if there is no contract. */
export function settleContract(hash: Hash, address: Address | undefined): void {
  const contract = useAwaitedContracts.getState().get(hash)
  if (!contract) return
  // First known, then awaited no more: at no moment is it in neither list.
  if (address) rememberContract(address, { ...contract, deployment: hash })
  useAwaitedContracts.setState((awaited) => new Map([...awaited].filter(([other]) => other !== hash)), true)
}
