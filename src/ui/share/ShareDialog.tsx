import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useCapabilities, useSession } from '#ui/page/session.ts'
import { useClockState } from '#ui/queries/status.ts'
import { performChainAction } from '#ui/storage/chain-actions.ts'
import { ExactLink } from './ExactLink.tsx'
import { ShareView } from './ShareView.tsx'
import { viewedTransaction, viewName } from './view-name.ts'

type What = 'view' | 'film' | 'link'

/** Asks what to share of what is on the screen: the view, a film of the chain, or a link that repeats it exactly. */
export function ShareDialog({ onClose }: { onClose: () => void }) {
  const { remote, film, fork } = useSession()
  const { devnet } = useCapabilities()
  const [path] = useLocation()
  const clock = useClockState()
  const [chosen, setWhat] = useState<What>()
  // What others get most of.
  const best = remote || film || viewedTransaction(path) ? 'view' : clock === 'manual' || fork ? 'link' : 'film'
  const what = chosen ?? best
  const choices: readonly { readonly value: What; readonly label: string }[] = [
    { value: 'view', label: viewName(path) },
    // What is not this page's own chain cannot be taken along.
    ...(!remote && devnet ? [{ value: 'film' as const, label: 'A film of it' }] : []),
    ...(!remote && !film ? [{ value: 'link' as const, label: fork ? 'A link to the fork' : 'An exact link' }] : []),
  ]
  return (
    <Dialog title="Share what I see" onDismiss={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      {choices.length > 1 && <Segmented legend="What to share" options={choices} value={what} onChange={setWhat} />}
      {what === 'view' && <ShareView path={path} />}
      {what === 'film' && <ShareFilm />}
      {what === 'link' && <ExactLink path={path} />}
    </Dialog>
  )
}

/** Saves the chain as a file, to be watched as a film or opened as a chain. */
function ShareFilm() {
  const session = useSession()
  const blocks = useFeed((feed) => feed.sealed[0]?.number ?? 0)
  const saving = useMutation({ mutationFn: () => performChainAction(session, { kind: 'export' }) })
  return (
    <>
      <p>
        One file with {blocks === 0 ? 'the pending block' : `${formatCount(blocks, 'sealed block')}, the pending one`}
        {' and each of their partial blocks, with the same hashes.'}
      </p>
      <p className="note">
        Whoever gets it drops it on a page of Blinknet and chooses <strong>Watch as a film</strong>: a slider goes
        through the chain, one partial block at a time. Nothing of their own chain changes.
      </p>
      <div>
        <Button look="primary" disabled={saving.isPending} onClick={() => saving.mutate()}>
          {saving.isPending ? 'Saving…' : 'Save the film'}
        </Button>
      </div>
      {saving.data !== undefined && <p role="status">{saving.data}</p>}
      {saving.error && <ErrorNote error={saving.error} />}
    </>
  )
}
