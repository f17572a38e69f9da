import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useState } from 'react'
import { ProviderRpcError } from '#client/session/provider.ts'
import { subscribe } from '#client/session/subscribe.ts'
import type { Address } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { LogContent } from '#ui/chain/decoded/LogList.tsx'
import { StateChip } from '#ui/chain/StateChip.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import type { FeedStatus } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { logsQuery } from '#ui/queries/contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './EventList.module.css'

const css = classNames(styles)

/** Shows a contract's events as they arrive. */
export function EventList({ address }: { address: Address }) {
  const { logs, error } = useContractLogs(address)
  const { preconfirms } = useCapabilities()
  return (
    <>
      <p className="note">
        Events of this contract
        {preconfirms ? ', shown as soon as they are pre-confirmed.' : '.'}
      </p>
      {error !== undefined && <ErrorNote error={error} />}
      {logs.length === 0 && error === undefined && (
        <p className="empty">No events yet. Send a transaction that emits one.</p>
      )}
      <ol className={css('events')} aria-label="Events">
        {logs.map((log) => (
          <Event key={`${log.transactionHash} ${log.logIndex}`} log={log} />
        ))}
      </ol>
    </>
  )
}

function Event({ log }: { log: RpcLog }) {
  const status = useLogStatus(log)
  // Withdrawn with its transaction, which is back in the mempool or lost.
  if (status !== 'preconfirmed' && status !== 'sealed') return undefined
  return (
    <li className={css('event')}>
      <p className={css('head')}>
        <StateChip status={status} outcome={undefined} />
        {log.transactionHash && (
          <AppLink to={`/tx/${log.transactionHash}`} className={css('where')}>
            block #{Number(log.blockNumber)}
          </AppLink>
        )}
      </p>
      <LogContent log={log} />
    </li>
  )
}

/** The status of a log: from the feed if the page saw it, otherwise from its block. */
function useLogStatus({ transactionHash, blockNumber }: RpcLog): FeedStatus {
  return useFeed(({ transactions, sealed }) => {
    const seen = transactionHash ? transactions.get(transactionHash)?.status : undefined
    return seen ?? (Number(blockNumber) <= (sealed[0]?.number ?? 0) ? 'sealed' : 'preconfirmed')
  })
}

/** The logs of a contract, newest first. New ones appear when pre-confirmed, if the chain pre-confirms. */
export function useContractLogs(address: Address): { readonly logs: readonly RpcLog[]; readonly error: unknown } {
  const provider = useProvider()
  const { pushes, preconfirms } = useCapabilities()
  const [logs, add] = useReducer(addAll, [])
  const [error, setError] = useState<unknown>()
  // A chain that does not push is polled whenever its pending block has changed.
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

/** A refusal was already shown, and a missing node has ended its subscriptions. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ProviderRpcError)) throw error
}

/** How many logs of a contract are shown. */
const CAPACITY = 100

/**
 * Adds a log to a contract's logs, newest first. It may arrive pre-confirmed, sealed, or both.
 *
 * Logs of the same transaction in another block were withdrawn with that block.
 */
export function addLog(logs: readonly RpcLog[], log: RpcLog): readonly RpcLog[] {
  if (log.removed) return logs.filter((other) => !isSame(other, log))
  const others = logs.filter(
    (other) =>
      !isSame(other, log) && (other.transactionHash !== log.transactionHash || other.blockNumber === log.blockNumber),
  )
  return [...others, log].toSorted(byAge).slice(0, CAPACITY)
}

function isSame(a: RpcLog, b: RpcLog): boolean {
  return a.transactionHash === b.transactionHash && a.blockNumber === b.blockNumber && a.logIndex === b.logIndex
}

function byAge(a: RpcLog, b: RpcLog): number {
  return Number(b.blockNumber) - Number(a.blockNumber) || Number(b.logIndex) - Number(a.logIndex)
}
