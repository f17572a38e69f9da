import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { Term } from '#ui/components/Term.tsx'
import { formatDuration, formatInteger, formatPace } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import type { OwnTransaction } from '#ui/own/own-transactions.ts'
import { hasReached, type Progress } from '#ui/own/progress.ts'
import { useClockControls, usePace } from '#ui/queries/status.ts'
import { AgainStep } from './AgainStep.tsx'
import { OutcomeTable } from './OutcomeTable.tsx'
import { StepLayout } from './StepLayout.tsx'
import { goToStep, type TourStep, useTour } from './tour-store.ts'
import { UndoneStep } from './UndoneStep.tsx'
import { type Followed, useFollowed } from './use-followed.ts'
import { useTourControls } from './use-tour.ts'

/** A tick takes ten times as long as by default. */
const TICK_SPEED = 0.1
/** Slow enough to see each partial block, fast enough to wait for the seal. */
const SEAL_SPEED = 0.5
const FULL_SPEED = 1

interface StepProps {
  readonly own: OwnTransaction
  readonly followed: Followed
}

/** The steps after sending; each shows the same transaction at a later status. */
export function FollowingSteps({ own, step }: { own: OwnTransaction; step: Exclude<TourStep, 'send'> }) {
  const followed = useFollowed(own)
  const { status } = followed.progress
  const { set: setClock, error: clockError } = useSetClock()
  const speed = speedFor(step, followed.progress)
  useEffect(() => setClock(speed), [speed, setClock])
  if ((status === 'dropped' || status === 'replaced') && step !== 'again') return <LostStep />
  const error = followed.error ?? clockError
  return (
    <>
      <StepOf step={step} own={own} followed={followed} />
      {error && <ErrorNote error={error} />}
    </>
  )
}

/** The clock runs while a step waits for a tick, and stops until the person has read about the result. */
function speedFor(step: TourStep, progress: Progress): number | 'held' {
  if (step === 'preconfirmed' && !hasReached(progress, 'preconfirmed')) return TICK_SPEED
  if (step === 'sealed' && !hasReached(progress, 'sealed')) return SEAL_SPEED
  if (step === 'again') return FULL_SPEED
  return 'held'
}

function StepOf({ step, ...props }: StepProps & { step: Exclude<TourStep, 'send'> }) {
  switch (step) {
    case 'mempool':
      return <MempoolStep {...props} />
    case 'preconfirmed':
      return <PreconfirmedStep {...props} />
    case 'receipt':
      return <ReceiptStep {...props} />
    case 'sealed':
      return <SealedStep {...props} />
    case 'undone':
      return <UndoneStep {...props} />
    case 'again':
      return <AgainStep />
  }
}

function MempoolStep({ followed: { progress } }: StepProps) {
  return (
    <StepLayout
      title="It is in the mempool"
      region="Mempool"
      said={
        hasReached(progress, 'preconfirmed')
          ? 'The node accepted it, and it waited here for a tick.'
          : 'The node has accepted it. It is waiting for the next tick.'
      }
      reached
      actions={
        <Button look="primary" onClick={() => goToStep('preconfirmed')}>
          Next: a tick
        </Button>
      }
    >
      <p>
        The node has checked the signature, the{' '}
        <Term of="nonce" then=",">
          nonce
        </Term>{' '}
        the balance and the fee, and has put the transaction into its{' '}
        <Term of="mempool" then=".">
          mempool
        </Term>{' '}
        It is not in a block yet: no money has moved, there is no{' '}
        <Term of="receipt" then=",">
          receipt
        </Term>{' '}
        and it can still be replaced or dropped.
      </p>
    </StepLayout>
  )
}

function PreconfirmedStep({ followed: { progress, preconfirmedChainMs } }: StepProps) {
  const { partialMs } = usePace()
  const reached = hasReached(progress, 'preconfirmed')
  const partial =
    progress.partialIndex === undefined ? 'a partial block' : `partial block ${partialNumber(progress.partialIndex)}`
  return (
    <StepLayout
      title="A partial block pre-confirms it"
      region="Pending block"
      reached={reached}
      said={
        reached
          ? `It is in ${partial} of block #${progress.blockNumber}${timeWords(preconfirmedChainMs)}.`
          : 'Waiting for the next tick.'
      }
      actions={
        reached ? (
          <Button look="primary" onClick={() => goToStep('receipt')}>
            Next: its receipt
          </Button>
        ) : (
          <TickButtons />
        )
      }
    >
      <p>
        At each{' '}
        <Term of="tick" then=",">
          tick
        </Term>{' '}
        the <Term of="sequencer">sequencer</Term> runs the waiting transactions and adds them to the pending block as
        one more{' '}
        <Term of="partial-block" then=".">
          partial block
        </Term>{' '}
        A tick normally comes every {formatPace(partialMs)}. <SlowWords />
      </p>
      <p>
        From then on, the transaction is{' '}
        <Term of="preconfirmed" then=":">
          pre-confirmed
        </Term>{' '}
        it has run, and its result and its position are known. Its block is still{' '}
        <Term of="pending" then=",">
          pending
        </Term>{' '}
        so more can be added to it.
      </p>
    </StepLayout>
  )
}

/** @param ms - Chain time from its arrival on; 0 if the clock stood still until somebody stepped. */
function timeWords(ms: number | undefined): string {
  if (ms === undefined) return ''
  if (Math.round(ms) === 0) return '. You made this tick yourself, while the clock stood still'
  return `: ${formatDuration(ms)} after the node received it, at full speed`
}

function SlowWords() {
  const held = useTour(({ clock }) => clock !== undefined)
  return held ? (
    <>During the tour, the clock runs ten times slower; times are given as they are at full speed.</>
  ) : (
    <>Here, one comes when you press Step.</>
  )
}

function ReceiptStep({ own, followed: { early, progress } }: StepProps) {
  const gone = early === undefined && progress.status === 'sealed'
  return (
    <StepLayout
      title="The receipt comes before the seal"
      region="Pending block"
      reached={early !== undefined}
      said={
        early
          ? 'The node has answered, and the block is not sealed yet.'
          : gone
            ? 'The block was sealed before this page asked.'
            : 'Waiting for the node’s answer.'
      }
      actions={
        <Button look="primary" disabled={!early && !gone} onClick={() => goToStep('sealed')}>
          Next: the seal
        </Button>
      }
    >
      <p>
        If you ask the node now, it already has a <Term of="receipt">receipt</Term> with the outcome and the{' '}
        <Term of="gas">gas</Term> used. Only the block’s hash is missing: the receipt has 32 zero bytes in its place.
      </p>
      {early && <OutcomeTable own={own} early={early} />}
      <p>
        A balance read at <Term of="pending">pending</Term> already shows the transfer. A balance read at{' '}
        <Term of="latest">latest</Term> does not.
      </p>
    </StepLayout>
  )
}

function SealedStep({ own, followed: { progress, early, late } }: StepProps) {
  const reached = progress.status === 'sealed'
  return (
    <StepLayout
      title="The block is sealed"
      region={reached ? 'Sealed blocks' : 'Pending block'}
      reached={reached}
      said={
        reached
          ? `Block #${formatInteger(progress.blockNumber ?? 0)} is sealed, and your transaction is in it.`
          : 'Waiting for the tick that seals the block.'
      }
      actions={
        reached ? (
          <Button look="primary" onClick={() => goToStep('undone')}>
            Next: can it be undone?
          </Button>
        ) : (
          <TickButtons withSeal />
        )
      }
    >
      {late ? (
        <>
          <OutcomeTable own={own} early={early} late={late} />
          <p>
            <Term of="sealed">Sealed</Term> means closed. The block now has its final hash, and{' '}
            <Term of="latest">latest</Term> shows it. The outcome is the same as when the transaction was{' '}
            <Term of="preconfirmed" then=".">
              pre-confirmed
            </Term>
          </p>
        </>
      ) : (
        <p>
          The tick after the last <Term of="partial-block">partial block</Term> closes the block: nothing more is added,
          and its hash is final. The block is then{' '}
          <Term of="sealed" then=",">
            sealed
          </Term>{' '}
          and the next one starts at once.
        </p>
      )}
    </StepLayout>
  )
}

/** The transaction will never be in a block: it was dropped or replaced. */
function LostStep() {
  return (
    <StepLayout
      title="The transaction has left the mempool"
      reached={false}
      said="It was dropped or replaced, so it will not be in any block."
      actions={
        <Button look="primary" onClick={() => goToStep('send')}>
          Send another one
        </Button>
      }
    >
      <p>This can happen to any transaction that is only in the mempool. To continue the tour, send another one.</p>
    </StepLayout>
  )
}

/** Buttons for the awaited tick, on a manual clock; otherwise it comes by itself. */
function TickButtons({ withSeal = false }: { withSeal?: boolean }) {
  const isManual = useTour(({ clock }) => clock === undefined)
  const { step, seal, error } = useClockControls()
  if (!isManual) return null
  return (
    <>
      {error && <ErrorNote error={error} />}
      {withSeal && <Button onClick={seal}>Seal now</Button>}
      <Button look="primary" onClick={step}>
        Step <Kbd>.</Kbd>
      </Button>
    </>
  )
}

/** Runs or stops the clock; `error` is the last failure. */
function useSetClock() {
  const { setClock } = useTourControls()
  const { mutate: set, error } = useMutation({ mutationFn: setClock })
  return { set, error }
}
