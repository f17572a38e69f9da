import { useMutation, useQuery } from '@tanstack/react-query'
import type { Hash } from '#primitives/hex.ts'
import { SendFailure } from '#ui/chain/failure/SendFailure.tsx'
import { Button } from '#ui/components/Button.tsx'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { formatDuration, formatPace } from '#ui/format/numbers.ts'
import { stepTimes } from '#ui/own/progress.ts'
import { useSender } from '#ui/own/sender.ts'
import { QUICK_VALUE, quickRecipient, useSend } from '#ui/own/use-send.ts'
import { useProvider } from '#ui/page/session.ts'
import { usePace } from '#ui/queries/status.ts'
import { timelineQuery, useTransactionVersion } from '#ui/queries/transactions.ts'
import { StepLayout } from './StepLayout.tsx'
import { followAgain, useTour } from './tour-store.ts'
import { useTourControls } from './use-tour.ts'

/** The last step: one transaction while the clock runs at full speed, and what it took. */
export function AgainStep() {
  const sender = useSender((state) => state.index)
  const again = useTour((tour) => tour.again)
  const { leave } = useTourControls()
  const leaving = useMutation({ mutationFn: leave })
  const send = useSend()
  const { preconfirmedMs, sealedMs } = useTimes(again)
  const { partialMs, partialsPerBlock } = usePace()
  return (
    <StepLayout
      title="Once more, at full speed"
      region="Your last transaction"
      reached={preconfirmedMs !== undefined}
      said={said()}
      actions={
        <>
          <Button
            look={sealedMs === undefined ? 'primary' : 'plain'}
            disabled={send.isPending}
            onClick={() =>
              send.mutate(
                { to: quickRecipient(sender), value: QUICK_VALUE },
                { onSuccess: (hash) => followAgain(hash) },
              )
            }
          >
            {again ? 'Send again' : 'Send at full speed'}
          </Button>
          <Button look={sealedMs === undefined ? 'plain' : 'primary'} onClick={() => leaving.mutate('end')}>
            Finish
          </Button>
        </>
      }
    >
      <p>
        The clock runs at its normal pace again: a partial block every {formatPace(partialMs)}, a sealed block every{' '}
        {formatPace(partialMs * partialsPerBlock)}. Send one more, and watch the two times.
      </p>
      {preconfirmedMs !== undefined && sealedMs !== undefined && (
        <>
          <p>
            The answer was there {formatDuration(sealedMs - preconfirmedMs)} before the seal. That is a
            pre-confirmation: an early answer by the sequencer, not a final one.
          </p>
          <div>
            <CopyTextButton value={summaryWords(preconfirmedMs, sealedMs)}>summary</CopyTextButton>
          </div>
        </>
      )}
      {send.error && <SendFailure error={send.error} />}
      {leaving.error && <ErrorNote error={leaving.error} />}
    </StepLayout>
  )

  function said(): string {
    if (send.isPending) return 'Signing and sending…'
    if (again === undefined) return 'Waiting for your transaction.'
    if (preconfirmedMs === undefined) return 'Waiting for the next partial block.'
    const early = `Pre-confirmed after ${formatDuration(preconfirmedMs)}`
    return sealedMs === undefined
      ? `${early}. Waiting for the seal.`
      : `${early}, sealed after ${formatDuration(sealedMs)}.`
  }
}

function useTimes(sent: Hash | undefined) {
  const hash = sent ?? '0x'
  const version = useTransactionVersion(hash)
  const { data } = useQuery(timelineQuery(useProvider(), hash, version, sent !== undefined))
  return stepTimes(data?.events ?? [])
}

/** What a person can forward to a colleague. */
function summaryWords(preconfirmedMs: number, sealedMs: number): string {
  const { origin, pathname } = location
  return `I sent a transaction on a Blinknet chain in my browser. It was pre-confirmed after ${formatDuration(preconfirmedMs)} and sealed after ${formatDuration(sealedMs)}: the result is known ${formatDuration(sealedMs - preconfirmedMs)} before the block is closed. Try it: ${origin}${pathname}`
}
