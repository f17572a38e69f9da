import type { Address } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { LogContent } from '#ui/chain/decoded/LogList.tsx'
import { StateChip } from '#ui/chain/StateChip.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import type { Stage } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './EventList.module.css'
import { useContractLogs } from './use-contract-logs.ts'

const css = classNames(styles)

/** What a contract tells those who watch it, as it is told. */
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
  const stage = useStage(log)
  // Taken back with its transaction, which waits again or is lost.
  if (stage !== 'preconfirmed' && stage !== 'sealed') return undefined
  return (
    <li className={css('event', stage)}>
      <p className={css('head')}>
        <StateChip stage={stage} outcome={undefined} />
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

/** The feed knows it of what it has seen; a log from before is as its block is. */
function useStage({ transactionHash, blockNumber }: RpcLog): Stage {
  return useFeed(({ transactions, sealed }) => {
    const seen = transactionHash ? transactions.get(transactionHash)?.stage : undefined
    return seen ?? (Number(blockNumber) <= (sealed[0]?.number ?? 0) ? 'sealed' : 'preconfirmed')
  })
}
