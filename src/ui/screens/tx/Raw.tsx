import { useQuery } from '@tanstack/react-query'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { SignedBytes } from '#ui/compose/SignedBytes.tsx'
import { formatCount } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { rawTransactionQuery } from '#ui/queries/traces.ts'
import type { PartProps } from './part-props.ts'

/** The signed bytes, from which everything else about the transaction follows. */
export function Raw({ tx, progress }: PartProps) {
  const { data: raw, error } = useQuery(rawTransactionQuery(useProvider(), tx.hash))
  if (error) return <ErrorNote error={error} />
  if (raw === undefined) return <p className="empty">Loading the signed bytes…</p>
  if (raw === null) {
    const gone = progress.status === 'replaced' || progress.status === 'dropped'
    return (
      <p className="empty">
        {gone
          ? 'The node no longer has the signed bytes of this transaction.'
          : 'This endpoint does not return the signed bytes of transactions.'}
      </p>
    )
  }
  return (
    <>
      <p className="spread">
        <span className="muted">
          {formatCount(raw.length / 2 - 1, 'byte')}, exactly as sent. Their keccak-256 hash is the transaction hash.
        </span>
        <CopyTextButton value={raw}>bytes</CopyTextButton>
      </p>
      <div>
        <SignedBytes raw={raw} />
      </div>
    </>
  )
}
