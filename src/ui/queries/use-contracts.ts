import { useMemo } from 'react'
import { create } from 'zustand'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'
import type { Contracts } from '#ui/decode/knowledge.ts'
import { type KnownContract, useKnownContracts } from '#ui/decode/known-contracts.ts'
import { isCodeOf, WELL_KNOWN } from '#ui/decode/well-known.ts'
import { useSession } from '#ui/page/session.ts'
import { useSelectorTable } from './selector-table.ts'

/** Milliseconds after which a well-known address is looked at again: its code may come, go or change. */
const RECHECK_MS = 5_000

/** Well-known contracts whose code is on the chain, by chain and address. */
const useConfirmed = create<ReadonlyMap<string, KnownContract>>(() => new Map())
/** When each was looked at, or will be, in milliseconds since the page began. */
const lookedAtMs = new Map<string, number>()

/**
 * The contracts that the page remembers, and well-known ones where the chain has the code that is known. A well-known
 * one is looked at once something asks for it, and has no ABI before. What none of them explains is looked up by selector.
 */
export function useContracts(): Contracts {
  const session = useSession()
  const { provider } = session
  const chain = chainKeyOf(session)
  const known = useKnownContracts()
  const confirmed = useConfirmed()
  const tableOf = useSelectorTable()
  return useMemo(
    () => ({
      get(address) {
        const remembered = known.get(address)
        if (remembered || !WELL_KNOWN.has(address)) return remembered
        const key = `${chain} ${address}`
        lookLater(provider, address, key)
        return confirmed.get(key)
      },
      bySelector: (key) => tableOf()?.find(key) ?? [],
    }),
    [provider, chain, known, confirmed, tableOf],
  )
}

/** Looks at an address, and once more later if it is asked for again meanwhile. */
function lookLater(provider: BlinknetProvider, address: Address, key: string): void {
  const now = performance.now()
  const next = (lookedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) + RECHECK_MS
  // Another look is planned, or under way.
  if (next > now + RECHECK_MS) return
  lookedAtMs.set(key, Math.max(now, next))
  // Never while a component renders: the page's log shows the call.
  setTimeout(() => void look(provider, address, key), Math.max(0, next - now))
}

async function look(provider: BlinknetProvider, address: Address, key: string): Promise<void> {
  const contract = await confirmWellKnown(provider, address)
  const before = useConfirmed.getState()
  if (before.get(key) === contract) return
  const after = new Map(before)
  if (contract) after.set(key, contract)
  else after.delete(key)
  useConfirmed.setState(after, true)
}

/** Each has one object, so that a second look changes nothing. */
const contracts = new Map<Address, KnownContract>()

/** A well-known contract, if its code is in the pending block; `undefined` if it is not, or nobody can tell. */
export async function confirmWellKnown(
  provider: BlinknetProvider,
  address: Address,
): Promise<KnownContract | undefined> {
  const wellKnown = WELL_KNOWN.get(address)
  if (!wellKnown) return undefined
  const { name, loadAbi, about, isDeployer = false } = wellKnown
  try {
    const code = await provider.request({ method: 'eth_getCode', params: [address, 'pending'] })
    if (!isCodeOf(wellKnown, code)) return undefined
    const contract = contracts.get(address) ?? {
      name,
      abi: (await loadAbi?.()) ?? [],
      wellKnown: { about, isDeployer },
    }
    contracts.set(address, contract)
    return contract
  } catch (error) {
    // The node refuses, or the ABI's file did not come: calls stay as they are, and the next look may find it.
    if (error instanceof ProviderRpcError || error instanceof TypeError) return undefined
    throw error
  }
}
