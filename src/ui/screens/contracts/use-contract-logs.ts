import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useState } from 'react'
import { ProviderRpcError } from '#client/provider.ts'
import { subscribe } from '#client/subscribe.ts'
import type { Address } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { logsQuery } from '#ui/queries/contracts.ts'
import { addLog } from './log-history.ts'

/** The logs of a contract, newest first; new ones as they are pre-confirmed, where the chain does that. */
export function useContractLogs(address: Address): { readonly logs: readonly RpcLog[]; readonly error: unknown } {
  const provider = useProvider()
  const { pushes, preconfirms } = useCapabilities()
  const [logs, add] = useReducer(addAll, [])
  const [error, setError] = useState<unknown>()
  // A chain that does not push is asked whenever its pending block has changed.
  const version = useFeed((feed) => (pushes ? undefined : feed.live?.hash))
  const history = useQuery(logsQuery(provider, address, version))
  useEffect(() => {
    if (history.data) add(history.data)
  }, [history.data])
  useEffect(() => {
    if (!pushes) return undefined
    const kinds = preconfirms ? (['pendingLogs', 'logs'] as const) : (['logs'] as const)
    const running = Promise.all(kinds.map((kind) => subscribe(provider, kind, [{ address }], (log) => add([log]))))
    running.catch((problem: unknown) => setError(() => problem))
    return () => {
      running.then((all) => Promise.all(all.map((one) => one.unsubscribe()))).catch(ignoreRefusal)
    }
  }, [provider, address, pushes, preconfirms])
  return { logs, error: error ?? history.error ?? undefined }
}

function addAll(logs: readonly RpcLog[], told: readonly RpcLog[]): readonly RpcLog[] {
  return told.reduce(addLog, logs)
}

/** A refusal was said already when it came, and a node that is gone has ended its subscriptions. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ProviderRpcError)) throw error
}
