import { useMemo } from 'react'
import type { Abi } from 'viem'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { useKnownContracts } from '#ui/decode/known-contracts.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { type ChainLists, listsOf } from './chain-lists.ts'
import type { Names } from './resolve.ts'
import { standardListsOf } from './standard-lists.ts'

/** How this chain is listed. */
export function useChainLists(): ChainLists {
  const provider = useProvider()
  const { devnet, preconfirms } = useCapabilities()
  return useMemo(() => {
    const standard = standardListsOf(provider, preconfirms)
    return devnet ? withFallback(provider, standard) : standard
  }, [provider, devnet, preconfirms])
}

/** A node of an older build has no methods that list. */
function withFallback(provider: BlinknetProvider, standard: ChainLists): ChainLists {
  const own = listsOf(provider)
  const either =
    <Args extends readonly unknown[], Result>(
      first: (...args: Args) => Promise<Result>,
      second: (...args: Args) => Promise<Result>,
    ) =>
    async (...args: Args) => {
      try {
        return await first(...args)
      } catch (error) {
        if (error instanceof ProviderRpcError && error.code === ERROR_CODES['method-not-found']) return second(...args)
        throw error
      }
    }
  return {
    blocks: either(own.blocks, standard.blocks),
    transactions: either(own.transactions, standard.transactions),
    logs: either(own.logs, standard.logs),
  }
}

/** Changes whenever there may be newer items in a list of the chain. */
export function useListVersion(): string {
  return useFeed(({ live, sealed }) => `${live?.hash} ${sealed[0]?.hash}`)
}

/** Accounts and contracts by the names that this page has for them. */
export function useNames(): Names {
  const { accounts } = useCapabilities()
  const known = useKnownContracts()
  return useMemo(
    () => [
      ...DEV_ACCOUNTS.filter(({ address }) => accounts.includes(address)).map(
        ({ name, address }) => [name, address] as const,
      ),
      ...[...known].map(([address, { name }]) => [name, address] as const),
    ],
    [accounts, known],
  )
}

/** ABIs of the contracts that this page knows. */
export function useAbis(): readonly Abi[] {
  const known = useKnownContracts()
  return useMemo(() => [...known.values()].map(({ abi }) => abi), [known])
}
