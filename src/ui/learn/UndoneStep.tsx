import { useMutation } from '@tanstack/react-query'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { useProvider } from '#ui/session.ts'
import { StepLayout } from './StepLayout.tsx'
import { Term } from './Term.tsx'
import type { Followed } from './use-followed.ts'
import { useTourControls } from './use-tour.ts'

/** What would take back what has come, and the way to see it. */
export function UndoneStep({ followed: { withdrawn, progress } }: { followed: Followed }) {
  const provider = useProvider()
  const { leave } = useTourControls()
  const reorg = useMutation({
    mutationFn: () => provider.request({ method: 'devnet_reorg', params: [1, 'requeue'] }),
  })
  const leaving = useMutation({ mutationFn: leave })
  const error = reorg.error ?? leaving.error
  return (
    <StepLayout
      title="What could undo it"
      region={withdrawn ? 'Mempool' : 'Sealed blocks'}
      reached={withdrawn}
      said={
        withdrawn
          ? 'The block is gone, and the transaction waits in the mempool again: the next tick pre-confirms it anew.'
          : 'Nothing has to be undone. You may try it.'
      }
      actions={
        <>
          <Button disabled={withdrawn || reorg.isPending || progress.stage !== 'sealed'} onClick={() => reorg.mutate()}>
            Take the block back
          </Button>
          <Button look="primary" onClick={() => leaving.mutate()}>
            Finish
          </Button>
        </>
      }
    >
      <p>
        A <Term of="preconfirmed">pre-confirmation</Term> is the word of one party, the{' '}
        <Term of="sequencer">sequencer</Term>: if it fails before the seal, the transaction may come back to the mempool
        or be lost. A <Term of="sealed">sealed</Term> block stands firmer, yet a chain can{' '}
        <Term of="reorg">reorganise</Term>: take it back and build another.
      </p>
      <p>Here neither happens unless somebody asks for it. So never show pre-confirmed as final.</p>
      {error && <ErrorNote error={error} />}
    </StepLayout>
  )
}
