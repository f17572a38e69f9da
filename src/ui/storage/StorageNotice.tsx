import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { useConnection, useSession } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import type { ChainAction } from './chain-actions.ts'
import { StorageDialog } from './StorageDialog.tsx'
import styles from './StorageNotice.module.css'
import { useStorage } from './storage-query.ts'
import { isUnstored, memoryReason } from './storage-words.ts'
import { useChainActions } from './use-chain-actions.ts'

const css = classNames(styles)

/** Says that what happens on the chain is not kept, for as long as that is so. */
export function StorageNotice() {
  const failure = useStorage()?.failure
  const connection = useConnection()
  const { chain } = useSession()
  if (failure) {
    return (
      <Notice title="The chain is not being stored">
        {failure.message} Transactions are refused until it can be written down again. Nothing that was stored is lost.
      </Notice>
    )
  }
  if (isUnstored(connection)) {
    return (
      <Notice title="This chain is only in memory">
        {memoryReason(connection, chain)} The chain ends with its last tab.
      </Notice>
    )
  }
  return null
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  const [asks, setAsks] = useState<ChainAction>()
  const { mutate, data, error, isPending } = useChainActions()
  return (
    <section aria-label={title} className={css('notice')}>
      <TriangleAlert size={18} aria-hidden="true" className={css('icon')} />
      <div className={css('words')}>
        <div role="alert">
          <p className={css('title')}>{title}</p>
          <p className={css('text')}>{children}</p>
        </div>
        <p role="status" className={css('text')}>
          {isPending ? 'Exporting the chain …' : (data ?? error?.message)}
        </p>
      </div>
      <div className={css('actions')}>
        <Button size="small" disabled={isPending} onClick={() => mutate({ kind: 'export' })}>
          Export chain
        </Button>
        <Button size="small" onClick={() => setAsks({ kind: 'start-fresh' })}>
          Start fresh…
        </Button>
      </div>
      {asks && <StorageDialog asks={asks} onClose={() => setAsks(undefined)} />}
    </section>
  )
}
