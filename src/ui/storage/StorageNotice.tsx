import { HardDrive, TriangleAlert } from 'lucide-react'
import { lazy, type ReactNode, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { LazyDialog } from '#ui/components/dialog/LazyDialog.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { parsePageOptions } from '#ui/page/page-options.ts'
import { useConnection, useSession } from '#ui/page/session.ts'
import type { ChainAction } from './chain-actions.ts'
import { useStorage } from './storage-query.ts'
import { deletedStorage, isUnasked, isUnstored, MEMORY_ENDS, memoryReason } from './storage-words.ts'
import { useChainActions } from './use-chain-actions.ts'

const StorageDialog = lazy(async () => ({ default: (await import('./StorageDialog.tsx')).StorageDialog }))

/** Warns while the chain is not being stored. */
export function StorageNotice() {
  const failure = useStorage()?.failure
  const connection = useConnection()
  const { chain } = useSession()
  if (failure) {
    return (
      <Unstored title="The chain is not being stored">
        {othersText(failure.message)} Transactions are refused until the chain can be stored again. Everything stored so
        far is safe.
      </Unstored>
    )
  }
  // The small views have no room for a question; the author of their address has chosen the chain.
  if (isUnasked(connection)) return parsePageOptions(location.search).view === 'page' ? <Unasked /> : null
  if (isUnstored(connection)) {
    return (
      <Unstored title="This chain is only in memory">
        {memoryReason(connection, chain)} The chain {MEMORY_ENDS}.
      </Unstored>
    )
  }
  const deleted = deletedStorage(connection)
  return deleted === undefined ? null : <Deleted said={deleted} />
}

/** What was stored is gone. The next node of the chain, in this tab or another, does not say so any more. */
function Deleted({ said }: { said: string }) {
  const [read, setRead] = useState(false)
  if (read) return null
  return (
    <Notice
      title="The browser deleted the stored chains"
      icon={TriangleAlert}
      look="failed"
      alert
      actions={
        <Button size="small" onClick={() => setRead(true)}>
          Close
        </Button>
      }
    >
      <p className="muted">
        It found its storage for this site damaged: “{said}”. This chain is new. If you have exported one before, you
        can import it in the settings.
      </p>
    </Notice>
  )
}

/** The options come from a page's address, here or in another tab. Asks whether to store the chain. */
function Unasked() {
  const session = useSession()
  const connection = useConnection()
  const follows = connection.status === 'ready' && connection.role?.kind === 'follows'
  return (
    <Notice
      title="This chain is only in memory"
      icon={HardDrive}
      look="plain"
      actions={
        <Button size="small" onClick={() => session.keepAsked?.()}>
          Start it over and store it
        </Button>
      }
    >
      <p className="muted">
        {follows ? 'Another tab runs it. That tab’s link has options of its own' : 'This link has options of its own'},
        so the chain is not stored and {MEMORY_ENDS}. You can start it over at block 0 as your stored chain “
        {session.chain}”{follows && ', with the options in this tab’s link'}.
      </p>
    </Notice>
  )
}

function Unstored({ title, children }: { title: string; children: ReactNode }) {
  const [asks, setAsks] = useState<ChainAction>()
  const close = () => setAsks(undefined)
  const { mutate, data, error, isPending } = useChainActions()
  return (
    <>
      <Notice
        title={title}
        icon={TriangleAlert}
        look="failed"
        alert
        outcome={
          <>
            <p role="status" className="muted">
              {isPending ? 'Exporting the chain…' : data}
            </p>
            {error && !isPending && <ErrorNote error={error} />}
          </>
        }
        actions={
          <>
            <Button size="small" disabled={isPending} onClick={() => mutate({ kind: 'export' })}>
              Export chain
            </Button>
            <Button size="small" onClick={() => setAsks({ kind: 'start-fresh' })}>
              Start fresh…
            </Button>
          </>
        }
      >
        <p className="muted">{children}</p>
      </Notice>
      {asks && (
        <LazyDialog onClose={close}>
          <StorageDialog asks={asks} onClose={close} />
        </LazyDialog>
      )}
    </>
  )
}
