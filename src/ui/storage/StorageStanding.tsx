import type { DevnetStorage } from '#rpc-types/devnet.ts'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useConnection, useSession } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { formatBytes } from './format-bytes.ts'
import styles from './StorageDialog.module.css'
import { useStorage } from './storage-query.ts'
import { memoryReason } from './storage-words.ts'

const css = classNames(styles)

/** Where the chain is kept, and how much room it takes. */
export function StorageStanding() {
  const { chain } = useSession()
  const connection = useConnection()
  const reason = memoryReason(connection, chain)
  const storage = useStorage()
  if (connection.status === 'crashed') return <p>The node is not running, so it cannot say where the chain is kept.</p>
  if (!storage) return <p>Asking the node where the chain is kept …</p>
  const { kind, failure, blocks, statesKept } = storage
  return (
    <div className={css('standing')}>
      <p className={css('place')}>
        {kind === 'journal' ? (
          <>
            The chain <strong>{chain}</strong> is stored in this browser. It goes on where it was when the page is
            opened again, in any tab.
          </>
        ) : (
          <>The chain is only in memory: it ends with its last tab. {reason}</>
        )}
      </p>
      {failure && (
        <ErrorNote
          error={
            new ExplainedError(
              'The chain could not be written down.',
              `${failure.message} Until it can, nothing new counts.`,
            )
          }
        />
      )}
      {kind === 'journal' && <Usage storage={storage} />}
      <p>
        {formatCount(blocks, 'block')}. Past states are kept for the newest {statesKept} blocks. All blocks,
        transactions and receipts stay readable.
      </p>
    </div>
  )
}

function Usage({ storage: { usedBytes, quotaBytes } }: { storage: DevnetStorage }) {
  if (usedBytes === null) return <p>Space used by all chains of this site: unknown. This browser does not say.</p>
  const share = quotaBytes ? Math.min(1, usedBytes / quotaBytes) : undefined
  return (
    <div className={css('usage')}>
      {share !== undefined && (
        <div className={css('track')} aria-hidden="true">
          <div className={css('bar')} style={{ width: `${Math.max(share * 100, 0.5)}%` }} />
        </div>
      )}
      <p>
        All chains of this site use {formatBytes(usedBytes)}
        {quotaBytes !== null && ` of the ${formatBytes(quotaBytes)} that the browser allows`}.
      </p>
    </div>
  )
}
