import { useEffect } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { formatDuration, formatInteger } from '#ui/format/numbers.ts'
import type { OwnTransaction } from '#ui/own/own-transactions.ts'
import { hasReached, type Progress } from '#ui/own/progress.ts'
import { OutcomeTable } from './OutcomeTable.tsx'
import { StepLayout } from './StepLayout.tsx'
import { Term } from './Term.tsx'
import { TickButtons } from './TickButtons.tsx'
import { goToStep, type TourStep, useTour } from './tour-store.ts'
import { UndoneStep } from './UndoneStep.tsx'
import { type Followed, useFollowed } from './use-followed.ts'
import { useSetClock } from './use-set-clock.ts'

/** A tick every two seconds, where it would come every 200 ms. */
const TICK_SPEED = 0.1
/** Slow enough to see each partial block, fast enough to wait for the seal. */
const SEAL_SPEED = 0.5

interface StepProps {
  readonly own: OwnTransaction
  readonly followed: Followed
}

/** The steps after the sending: each is about the same transaction, further on. */
export function FollowingSteps({ own, step }: { own: OwnTransaction; step: Exclude<TourStep, 'send'> }) {
  const followed = useFollowed(own)
  const { stage } = followed.progress
  const { set: setClock, error: clockError } = useSetClock()
  const speed = speedFor(step, followed.progress)
  useEffect(() => setClock(speed), [speed, setClock])
  if (stage === 'dropped' || stage === 'replaced') return <LostStep />
  const error = followed.error ?? clockError
  return (
    <>
      <StepOf step={step} own={own} followed={followed} />
      {error && <ErrorNote error={error} />}
    </>
  )
}

/** Ticks come while one is awaited; what has come stands still until the person has read of it. */
function speedFor(step: TourStep, progress: Progress): number | 'held' {
  if (step === 'preconfirmed' && !hasReached(progress, 'preconfirmed')) return TICK_SPEED
  if (step === 'sealed' && !hasReached(progress, 'sealed')) return SEAL_SPEED
  return 'held'
}

function StepOf({ step, ...props }: StepProps & { step: Exclude<TourStep, 'send'> }) {
  switch (step) {
    case 'mempool':
      return <MempoolStep />
    case 'preconfirmed':
      return <PreconfirmedStep {...props} />
    case 'receipt':
      return <ReceiptStep {...props} />
    case 'sealed':
      return <SealedStep {...props} />
    case 'undone':
      return <UndoneStep {...props} />
  }
}

function MempoolStep() {
  return (
    <StepLayout
      title="It waits in the mempool"
      region="Mempool"
      said="The node has taken it: it waits for the next tick."
      reached
      actions={
        <Button look="primary" onClick={() => goToStep('preconfirmed')}>
          Next: a tick
        </Button>
      }
    >
      <p>
        The node has checked its signature, its <Term of="nonce">nonce</Term>, the balance and the fee, and keeps it in
        its <Term of="mempool">mempool</Term>. It is in no block. Nothing has moved, there is no{' '}
        <Term of="receipt">receipt</Term>, and it could still be replaced or dropped.
      </p>
    </StepLayout>
  )
}

function PreconfirmedStep({ followed: { progress, preconfirmedMs } }: StepProps) {
  const reached = hasReached(progress, 'preconfirmed')
  const partial = progress.partialIndex === undefined ? 'a partial block' : `Partial block ${progress.partialIndex}`
  return (
    <StepLayout
      title="A partial block pre-confirms it"
      region="Pending block"
      reached={reached}
      said={
        reached
          ? `${partial} of block #${progress.blockNumber} carries it${
              preconfirmedMs === undefined ? '' : `, ${formatDuration(preconfirmedMs)} after the node had received it`
            }.`
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
        At each <Term of="tick">tick</Term> the <Term of="sequencer">sequencer</Term> executes what waits and adds the
        outcome to the pending block, as one more <Term of="partial-block">partial block</Term>. Usually that takes 200
        ms; <SlowWords />
      </p>
      <p>
        From then on it is <Term of="preconfirmed">pre-confirmed</Term>: executed, its result and its place known. The
        block that it is in is still <Term of="pending">pending</Term>, which means open.
      </p>
    </StepLayout>
  )
}

function SlowWords() {
  const held = useTour(({ clock }) => clock !== undefined)
  return held ? <>here the clock runs at a tenth of that.</> : <>here it takes as long as you take to press Step.</>
}

function ReceiptStep({ own, followed: { early, progress } }: StepProps) {
  const gone = early === undefined && progress.stage === 'sealed'
  return (
    <StepLayout
      title="The receipt comes before the seal"
      region="Pending block"
      reached={early !== undefined}
      said={
        early
          ? 'The node has answered, and the block is still open.'
          : gone
            ? 'The block was sealed before this page had asked.'
            : 'Waiting for the node’s answer.'
      }
      actions={
        <Button look="primary" disabled={!early && !gone} onClick={() => goToStep('sealed')}>
          Next: the seal
        </Button>
      }
    >
      <p>
        Ask the node now, and there is a <Term of="receipt">receipt</Term>, with the outcome and the{' '}
        <Term of="gas">gas</Term>. Only the block’s hash is missing: 32 zero bytes stand for it.
      </p>
      {early && <OutcomeTable own={own} early={early} />}
      <p>
        Who asks at <Term of="pending">pending</Term> sees the money moved. Who asks at <Term of="latest">latest</Term>{' '}
        does not, yet.
      </p>
    </StepLayout>
  )
}

function SealedStep({ own, followed: { progress, early, late } }: StepProps) {
  const reached = progress.stage === 'sealed'
  return (
    <StepLayout
      title="The block is sealed"
      region={reached ? 'Sealed blocks' : 'Pending block'}
      reached={reached}
      said={
        reached
          ? `Block #${formatInteger(progress.blockNumber ?? 0)} is sealed, with your transaction in it.`
          : 'Waiting for the tick that seals the block.'
      }
      actions={
        reached ? (
          <Button look="primary" onClick={() => goToStep('undone')}>
            Next: what could undo it
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
            <Term of="sealed">Sealed</Term> means closed. What changed: the block has its final hash, and{' '}
            <Term of="latest">latest</Term> shows it. The outcome did not: it was known since the{' '}
            <Term of="preconfirmed">pre-confirmation</Term>.
          </p>
        </>
      ) : (
        <p>
          The tick after the last <Term of="partial-block">partial block</Term> closes the block: nothing is added any
          more, and its hash is final. That is <Term of="sealed">sealed</Term>. The next block opens in the same moment.
        </p>
      )}
    </StepLayout>
  )
}

/** The transaction is in no block and never will be: somebody has dropped or replaced it meanwhile. */
function LostStep() {
  return (
    <StepLayout
      title="The transaction has left the mempool"
      reached={false}
      said="It was dropped or replaced, so it will be in no block."
      actions={
        <Button look="primary" onClick={() => goToStep('send')}>
          Send another
        </Button>
      }
    >
      <p>That is what may happen to what is only in the mempool. The tour needs another transaction to go on.</p>
    </StepLayout>
  )
}
