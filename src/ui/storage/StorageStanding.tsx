import type { DevnetStorage } from '#rpc-types/methods/devnet.ts'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useConnection, useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { formatBytes } from './format-bytes.ts'
import styles from './StorageDialog.module.css'
import { useStorage } from './storage-query.ts'
import { MEMORY_ENDS, memoryReason } from './storage-words.ts'

const css = classNames(styles)

/** Where the chain is stored, and how much space it uses. */
export function StorageStanding() {
  const { chain, fork } = useSession()
  const connection = useConnection()
  const reason = memoryReason(connection, chain)
  const storage = useStorage()
  if (connection.status === 'crashed')
    return <p>The node is not running, so the page does not know where the chain is stored.</p>
  if (!storage) return <p>Asking the node where the chain is stored…</p>
  const { kind, failure, blocks, statesKept } = storage
  return (
    <div className={css('standing')}>
      <p className={css('place')}>
        {kind === 'journal' ? (
          <>
            {fork ? (
              'The fork'
            ) : (
              <>
                The chain <strong>{chain}</strong>
              </>
            )}{' '}
            is stored in this browser. It continues where it stopped when you open {fork ? 'its address' : 'the page'}{' '}
            again, in any tab. A private window has a chain of its own, and forgets it when it is closed.
          </>
        ) : (
          <>
            The chain is in memory only and {MEMORY_ENDS}. {reason}
          </>
        )}
      </p>
      {failure && (
        <ErrorNote
          error={
            new ExplainedError(
              'The chain could not be stored.',
              `${failure.message} Until that works again, the chain accepts nothing new.`,
            )
          }
        />
      )}
      {kind === 'journal' && <Usage storage={storage} />}
      <p>
        {formatCount(blocks, 'block')}. All blocks, transactions and receipts can be read; past states only for the
        newest {statesKept} blocks.
      </p>
    </div>
  )
}

function Usage({ storage: { usedBytes, quotaBytes } }: { storage: DevnetStorage }) {
  if (usedBytes === null) return <p>Space used by all chains of this site: unknown. This browser does not report it.</p>
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
        {quotaBytes !== null && ` of the ${formatBytes(quotaBytes)} this browser allows`}.
      </p>
    </div>
  )
}
