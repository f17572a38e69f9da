import { useMutation } from '@tanstack/react-query'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Term } from '#ui/components/Term.tsx'
import { useProvider } from '#ui/page/session.ts'
import { StepLayout } from './StepLayout.tsx'
import { goToStep, useTour } from './tour-store.ts'
import type { Followed } from './use-followed.ts'
import { useTourControls } from './use-tour.ts'

/** Explains how the transaction could be undone, and lets the person try it. */
export function UndoneStep({ followed: { withdrawn, progress } }: { followed: Followed }) {
  const provider = useProvider()
  const { leave } = useTourControls()
  const isTimed = useTour(({ clock }) => clock !== undefined)
  const { blockNumber } = progress
  // If the tour was left and resumed, the chain has grown meanwhile.
  const reorg = useMutation({
    mutationFn: async () => {
      const latest = Number(await provider.request({ method: 'eth_blockNumber' }))
      const depth = latest - (blockNumber ?? latest) + 1
      await provider.request({ method: 'devnet_reorg', params: [depth, 'requeue'] })
    },
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
          : 'Try it: remove the sealed block, and with it any that came after it.'
      }
      actions={
        <>
          <Button
            disabled={withdrawn || reorg.isPending || progress.status !== 'sealed'}
            onClick={() => reorg.mutate()}
          >
            Remove the block
          </Button>
          {isTimed ? (
            <Button look="primary" onClick={() => goToStep('again')}>
              Next: full speed
            </Button>
          ) : (
            <Button look="primary" onClick={() => leaving.mutate('end')}>
              Finish
            </Button>
          )}
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
