import type { Abi } from 'viem'
import { create } from 'zustand'
import type { Address, Hash } from '#primitives/hex.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { completeAbi } from './parse-abi.ts'

/** A contract that the page knows: its ABI and its name. */
export interface KnownContract {
  readonly name: string
  readonly abi: Abi
  /** Solidity source, if the page compiled it. */
  readonly source?: string | undefined
  /** The deploying transaction, if the page sent it. */
  readonly deployment?: Hash | undefined
  /** How a contract that is known by its address and code is called, if it has no functions. */
  readonly wellKnown?: { readonly about: string | undefined; readonly isDeployer: boolean }
}

/** Known contracts by address, in the order they became known. `keep-contracts.ts` stores them. */
export const useKnownContracts = create<ReadonlyMap<Address, KnownContract>>(() => new Map())

/**
 * Hashes of the codes that known contracts had when they became known, without those that are not fetched yet. What stands at
 * the address later may be another contract.
 */
export const useKnownCodes = create<ReadonlyMap<Address, Hash>>(() => new Map())

/** Deployments that are in no block yet, by transaction hash. */
export const useAwaitedContracts = create<ReadonlyMap<Hash, KnownContract>>(() => new Map())

/** Remembers a contract, so that its logs, traces and calls are decoded. */
export function rememberContract(address: Address, contract: KnownContract): void {
  // The name may come from a file or another program.
  const named = { ...contract, name: othersText(contract.name, LONGEST_NAME), abi: completeAbi(contract.abi) }
  useKnownContracts.setState((known) => new Map(known).set(address, named), true)
}

/** The opposite of {@link rememberContract}. */
export function forgetContract(address: Address): void {
  useKnownContracts.setState((known) => new Map([...known].filter(([other]) => other !== address)), true)
}

/** @param address - In lower case, as the node returns it. */
export function useKnownContract(address: Address | null | undefined): KnownContract | undefined {
  return useKnownContracts((known) => (address ? known.get(address) : undefined))
}

/** Keeps sent deployments until their outcome is known. */
export function awaitContract(hash: Hash, contract: KnownContract): void {
  useAwaitedContracts.setState((awaited) => new Map(awaited).set(hash, contract), true)
}

/**
 * Ends the wait.
 *
 * @param address - The new contract's address; `undefined` if there is none.
 */
export function settleContract(hash: Hash, address: Address | undefined): void {
  const contract = useAwaitedContracts.getState().get(hash)
  if (!contract) return
  // Remembered first, so that it is always in one of the lists.
  if (address) rememberContract(address, { ...contract, deployment: hash })
  useAwaitedContracts.setState((awaited) => new Map([...awaited].filter(([other]) => other !== hash)), true)
}
