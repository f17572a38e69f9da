import { useMutation } from '@tanstack/react-query'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useSession } from '#ui/page/session.ts'
import { performChainAction } from '#ui/storage/chain-actions.ts'

/** Saves the chain as a file, to be watched as a film or opened as a chain. */
export function ShareFilm() {
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
