import { useMutation } from '@tanstack/react-query'
import { Button } from '#ui/components/Button.tsx'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { ErrorNote, FailureNote } from '#ui/components/ErrorNote.tsx'
import { useSession } from '#ui/page/session.ts'
import { isLocalAddress, viewAddress } from '#ui/page/view-address.ts'
import { performChainAction } from '#ui/storage/chain-actions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { QrCode } from './QrCode.tsx'
import styles from './ShareDialog.module.css'
import { useShare } from './use-share.ts'

const css = classNames(styles)

const SAME_BLOCKS =
  'Anyone who opens this link gets the same blocks with the same hashes. This was just checked on a second chain.'
const SAME_OPTIONS = 'This link opens a new chain with the same options.'
const FORKED =
  'This link opens a fork of the same chain after the same block. Whoever opens it is asked before anything is sent to the endpoint.'

/** Shows a link that reproduces this chain as far as possible, and offers a file otherwise. */
export function ShareDialog({ onClose }: { onClose: () => void }) {
  const session = useSession()
  const { fork } = session
  const { data, error } = useShare()
  const exporting = useMutation({ mutationFn: () => performChainAction(session, { kind: 'export' }) })
  return (
    <Dialog
      title="Share this chain"
      onDismiss={onClose}
      actions={
        <>
          <Button disabled={exporting.isPending} onClick={() => exporting.mutate()}>
            Export as a file
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {error ? (
        <ErrorNote error={error} />
      ) : data ? (
        <>
          <p role="status">{fork ? FORKED : data.short ? SAME_OPTIONS : SAME_BLOCKS}</p>
          {data.short && <FailureNote what={data.short.message} why={data.short.why} />}
          <p className={css('address')}>
            <code>{data.address}</code>
          </p>
          <div>
            <CopyTextButton value={data.address}>the link</CopyTextButton>
          </div>
          <QrCode address={data.address} />
          {isLocalAddress() && (
            <p className="note">
              This page is served only on this machine ({location.host}), so other devices cannot open it.
            </p>
          )}
          {!fork && (
            <>
              <div>
                <CopyTextButton value={embedSnippet()}>
                  the pending block as a frame, for a page of this site
                </CopyTextButton>
              </div>
              <p className="note">
                The link opens a chain in memory, so it does not touch any chain the other person has stored.
                Transactions in the mempool are not part of it.
              </p>
            </>
          )}
        </>
      ) : (
        <p role="status">Reading the chain and checking it on a second one…</p>
      )}
      {exporting.data !== undefined && <p role="status">{exporting.data}</p>}
      {exporting.error && <ErrorNote error={exporting.error} />}
    </Dialog>
  )
}

/** HTML that shows a chain in memory, small, inside another page. */
function embedSnippet(): string {
  const address = viewAddress('embed', '?storage=off').replaceAll('&', '&amp;')
  return `<iframe src="${address}" width="600" height="400" title="A Blinknet chain, live"></iframe>`
}
