import { useMutation } from '@tanstack/react-query'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Term } from '#ui/components/Term.tsx'
import { useProvider } from '#ui/page/session.ts'
import { StepLayout } from './StepLayout.tsx'
import type { Followed } from './use-followed.ts'
import { useTourControls } from './use-tour.ts'

/** Explains how the transaction could be undone, and lets the person try it. */
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
      title="Can it be undone?"
      region={withdrawn ? 'Mempool' : 'Sealed blocks'}
      reached={withdrawn}
      said={
        withdrawn
          ? 'The block is gone, and the transaction is back in the mempool. The next tick pre-confirms it again.'
          : 'Try it: remove the sealed block.'
      }
      actions={
        <>
          <Button disabled={withdrawn || reorg.isPending || progress.stage !== 'sealed'} onClick={() => reorg.mutate()}>
            Remove the block
          </Button>
          <Button look="primary" onClick={() => leaving.mutate()}>
            Finish
          </Button>
        </>
      }
    >
      <p>
        A <Term of="preconfirmed">pre-confirmation</Term> is a promise by one party, the{' '}
        <Term of="sequencer" then=".">
          sequencer
        </Term>{' '}
        If the sequencer fails before the seal, the transaction can go back to the mempool or be lost. A{' '}
        <Term of="sealed">sealed</Term> block is safer, but even that can be replaced in a{' '}
        <Term of="reorg" then=".">
          reorg
        </Term>
      </p>
      <p>
        On this chain, neither happens unless somebody asks for it. Other chains give no such guarantee, so never show a
        pre-confirmed transaction as final.
      </p>
      {error && <ErrorNote error={error} />}
    </StepLayout>
  )
}
