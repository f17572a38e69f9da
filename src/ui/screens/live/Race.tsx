import { useMutation } from '@tanstack/react-query'
import { Image, Undo2 } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { Address } from '#ui/chain/Address.tsx'
import { TransactionLine } from '#ui/chain/TransactionStatus.tsx'
import { Amount } from '#ui/components/Amount.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { Term } from '#ui/components/Term.tsx'
import { WaitingNote } from '#ui/compose/NonceGapNote.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { useNow } from '#ui/feed/ticker.ts'
import { formatDuration, formatEth } from '#ui/format/numbers.ts'
import { chainTimeBetween, useTalkPaces, wasSlowed } from '#ui/learn/chain-time.ts'
import { useTour } from '#ui/learn/tour-store.ts'
import { type OwnTransaction, useOwnTransactions } from '#ui/own/own-transactions.ts'
import { hasReached, knownProgress, LOST_TIMES, type Progress, progressOfAll, stepTimes } from '#ui/own/progress.ts'
import { briefWithdrawalWords, withdrawalsOf, withdrawalWords } from '#ui/own/withdrawals.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useClockState, usePace } from '#ui/queries/status.ts'
import { useTimeline, useTransaction } from '#ui/queries/transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Race.module.css'

const css = classNames(styles)

/**
 * The stopwatch: the time to pre-confirmation of the newest own transaction against its time to the seal, to scale.
 *
 * @param brief - Only its state, times and last fault, in a panel, for small places.
 */
export function Race({ brief = false }: { brief?: boolean }) {
  const newest = useOwnTransactions((state) => state.sent[0])
  const { devnet } = useCapabilities()
  if (!devnet) return <Untimed own={newest} />
  const content = newest ? <Lane key={newest.hash} own={newest} brief={brief} /> : <Empty brief={brief} />
  if (brief) return <Panel title="Your last transaction">{content}</Panel>
  return (
    <section aria-label="Your last transaction" className={css('stopwatch')}>
      {content}
    </section>
  )
}

/** The newest own transaction on a chain without timelines. */
function Untimed({ own }: { own: OwnTransaction | undefined }) {
  return (
    <Panel title="Your last transaction" aside="this endpoint records no times">
      {own ? <UntimedTransaction key={own.hash} own={own} /> : <p className="muted">Nothing sent yet.</p>}
    </Panel>
  )
}

function UntimedTransaction({ own }: { own: OwnTransaction }) {
  const { data, error } = useTransaction(own.hash)
  const seen = useFeed((feed) => feed.transactions.get(own.hash))
  const progress = knownProgress(seen, progressOfAll([], data?.tx ?? null, data?.receipt ?? null))
  return (
    <div className={css('race')}>
      <What own={own} progress={progress} />
      {error && <ErrorNote error={error} />}
    </div>
  )
}

/** The transaction and its progress. */
function What({ own, progress }: { own: OwnTransaction; progress: Progress }) {
  return (
    <>
      <TransactionLine hash={own.hash} progress={progress} />
      <p className={css('transfer')}>
        <Amount wei={own.value}>{formatEth(own.value)}</Amount> from <Address address={own.from} /> to{' '}
        {own.to ? <Address address={own.to} /> : 'a new contract'}
      </p>
    </>
  )
}

function Empty({ brief }: { brief: boolean }) {
  return (
    <div className={css('empty')}>
      <div className={css('lane')} aria-hidden="true">
        <Step name="Pre-confirmed" look="preconfirmed" time="–" share={0} />
        <Step name="Sealed" look="sealed" time="–" share={0} />
      </div>
      <p className={css('summary')}>
        {brief ? 'Nothing sent yet. ' : ''}Press Send transaction to compare the two times.
      </p>
    </div>
  )
}

function Lane({ own, brief }: { own: OwnTransaction; brief: boolean }) {
  const { data: timeline, error } = useTimeline(own.hash)
  const events = timeline?.events ?? []
  const seen = useFeed((feed) => feed.transactions.get(own.hash))
  const times = stepTimes(events)
  const tour = useTour()
  const talk = useTalkPaces()
  const { paces } = tour.hash === own.hash ? tour : talk
  // Another tab took over the chain, and the earlier node's times are gone.
  const timesLost = timeline !== undefined && times.receivedAtMs === undefined
  const { data } = useTransaction(own.hash, timesLost)
  const progress = knownProgress(seen, progressOfAll(events, data?.tx ?? null, data?.receipt ?? null))
  const ended = progress.status === 'dropped' || progress.status === 'replaced'
  const running = useClockState() === 'running'
  const counting = running && !ended && times.sealedMs === undefined && times.receivedAtMs !== undefined
  const now = useNow(counting)
  const { receivedAtMs = 0 } = times
  const slowed = wasSlowed(receivedAtMs, receivedAtMs + (times.sealedMs ?? times.preconfirmedMs ?? 0), paces)
  const waited = counting ? sinceReceived(now) : undefined
  const preconfirmedMs = times.preconfirmedMs === undefined ? undefined : atFullSpeed(times.preconfirmedMs)
  const sealedMs = times.sealedMs === undefined ? undefined : atFullSpeed(times.sealedMs)
  const { partialMs, partialsPerBlock, speed } = usePace()
  const branches = withdrawalsOf(events)
  const scale = Math.max(
    (partialMs * (partialsPerBlock + 1)) / (slowed ? 1 : speed),
    sealedMs ?? preconfirmedMs ?? 0,
    waited ?? 0,
    ...branches.map(({ tookPlaceAtMs }) => sinceReceived(tookPlaceAtMs)),
  )
  return (
    <div className={css('race')}>
      {brief && <TransactionLine hash={own.hash} progress={progress} />}
      <div className={css('lane')}>
        {lane(PRECONFIRMED, 'preconfirmed', preconfirmedMs)}
        {lane('Sealed', 'sealed', sealedMs)}
      </div>
      {brief ? (
        branches.length === 0 && outcome()
      ) : (
        <>
          <div className={`spread ${css('outcome')}`}>
            {outcome()}
            {preconfirmedMs !== undefined && sealedMs !== undefined && (
              <CopyImage preconfirmedMs={preconfirmedMs} sealedMs={sealedMs} />
            )}
          </div>
          <div className={css('foot')}>
            <What own={own} progress={progress} />
          </div>
        </>
      )}
      {(brief ? branches.slice(-1) : branches).map((branch) => (
        <p key={branch.withdrawnAtMs} className={css('branch')}>
          <Undo2 size={14} aria-hidden="true" />
          {(brief ? briefWithdrawalWords : withdrawalWords)(branch)}
        </p>
      ))}
      {error && <ErrorNote error={error} />}
    </div>
  )

  function lane(name: ReactNode, look: 'preconfirmed' | 'sealed', ms: number | undefined) {
    const shown = ms ?? (ended ? undefined : waited)
    const unknown = ended || timesLost ? '–' : 'waiting'
    const time = shown === undefined ? unknown : isByHand(ms) ? '–' : formatDuration(shown)
    return (
      <Step
        name={name}
        look={look}
        time={time}
        share={Math.min(1, (shown ?? 0) / scale)}
        undone={branches
          .filter(({ step }) => step === look)
          .map(({ tookPlaceAtMs }) => sinceReceived(tookPlaceAtMs) / scale)}
        measured={ms !== undefined}
      />
    )
  }

  /** Whether somebody stepped the clock of the tour or of a talk, which stood still: no time went by that could be told. */
  function isByHand(ms: number | undefined): boolean {
    return slowed && ms !== undefined && Math.round(ms) === 0
  }

  function sinceReceived(atMs: number): number {
    return times.receivedAtMs === undefined ? 0 : atFullSpeed(Math.max(0, atMs - receivedAtMs))
  }

  /** What a time since the arrival would have been if nobody had slowed or stopped the clock. */
  function atFullSpeed(ms: number): number {
    return chainTimeBetween(receivedAtMs, receivedAtMs + ms, paces)
  }

  function outcome(): ReactNode {
    const words = <p className={css('summary')}>{summary()}</p>
    if (progress.status !== 'mempool' || seen === undefined) return words
    return <WaitingNote from={own.from} nonce={seen.nonce} otherwise={words} />
  }

  function summary(): string {
    if (ended) return 'It left the mempool and never got into a block.'
    if (timesLost && hasReached(progress, 'preconfirmed')) return LOST_TIMES
    if (preconfirmedMs === undefined) return 'Waiting for the next partial block.'
    if (isByHand(preconfirmedMs)) return 'The clock stood still: no time to compare.'
    if (slowed) return 'At full speed; the clock was slower.'
    if (sealedMs === undefined) return 'The result is known; the block is not sealed yet.'
    return `Known ${formatDuration(sealedMs - preconfirmedMs)} before the seal.`
  }
}

/** Puts a picture of the two times into the clipboard. */
function CopyImage(times: { preconfirmedMs: number; sealedMs: number }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => (await import('./stopwatch-image.ts')).copyStopwatch(times),
  })
  const words = data === undefined ? 'Copy as image' : data === 'copied' ? 'Copied' : 'Saved'
  return (
    <>
      <Button size="small" disabled={isPending} onClick={() => mutate()} aria-label={words}>
        <Image size={14} aria-hidden="true" />
        <span className={css('words')}>{words}</span>
      </Button>
      {error && <ErrorNote error={error} />}
    </>
  )
}

const PRECONFIRMED = <Term of="preconfirmed">Pre-confirmed</Term>

const NOTHING_UNDONE: readonly number[] = []

function Step({
  name,
  look,
  time,
  share,
  undone = NOTHING_UNDONE,
  measured = false,
}: {
  name: ReactNode
  look: 'preconfirmed' | 'sealed'
  time: string
  /** Share of the track, 0 to 1. */
  share: number
  /** Positions on the track of steps that were withdrawn. */
  undone?: readonly number[]
  measured?: boolean
}) {
  return (
    <div className={css('step')}>
      <span>{name}</span>
      <span className={css('track')} data-graphic aria-hidden="true">
        <span className={css('bar', look, !measured && 'waiting')} style={{ '--share': share } as CSSProperties} />
        {undone.map((at) => (
          <span key={at} className={css('undone')} style={{ '--share': at } as CSSProperties} />
        ))}
      </span>
      <span className={css('time', measured && 'measured')}>{time}</span>
    </div>
  )
}
