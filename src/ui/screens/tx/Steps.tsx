import { useQuery } from '@tanstack/react-query'
import type { CSSProperties, ReactNode } from 'react'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Term } from '#ui/components/Term.tsx'
import { waitsFor } from '#ui/compose/consequences.ts'
import { TransactionGap } from '#ui/compose/NonceGapNote.tsx'
import type { FeedStatus } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useNow } from '#ui/feed/ticker.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatDuration } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { hasReached, LOST_TIMES, type Progress, stepTimes } from '#ui/own/progress.ts'
import { withdrawalsOf, withdrawalWords } from '#ui/own/withdrawals.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { useReplaced } from '#ui/queries/replaced.ts'
import { offerOf, senderQuery } from '#ui/queries/sender.ts'
import { useClockState } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Steps.module.css'

const css = classNames(styles)

interface Step {
  readonly status: FeedStatus
  readonly name: ReactNode
  readonly detail: ReactNode
  /** Milliseconds since the node received it; `undefined` until the step is taken. */
  readonly afterMs: number | undefined
  readonly reached: boolean
}

/**
 * Received, pre-confirmed, sealed: each with the time since the first, to scale; the next one counts up.
 *
 * @param progress - As reported by the node, so that steps and times appear together.
 * @param helps - Whether a nonce gap before the transaction can be filled here.
 */
export function Steps({
  tx,
  events,
  progress,
  helps = true,
}: {
  tx: RpcTransaction | null
  events: readonly TimelineEvent[]
  progress: Progress
  helps?: boolean
}) {
  const { receivedAtMs, preconfirmedMs, sealedMs } = stepTimes(events)
  const isPreconfirmed = hasReached(progress, 'preconfirmed')
  const isSealed = hasReached(progress, 'sealed')
  const ended = progress.status === 'dropped' || progress.status === 'replaced'
  const counting = useClockState() === 'running' && !ended && !isSealed && receivedAtMs !== undefined
  const now = useNow(counting)
  const waited = counting ? Math.max(0, now - receivedAtMs) : undefined
  const where =
    progress.blockNumber === undefined ? undefined : (
      <AppLink to={`/block/${progress.blockNumber}`}>block #{progress.blockNumber}</AppLink>
    )
  const ending = events.at(-1)
  const replaced = useReplaced(ended ? null : tx)
  const steps: Step[] = [
    {
      status: 'mempool',
      name: 'Received',
      detail: (
        <>
          by the node, into its <Term of="mempool">mempool</Term>
        </>
      ),
      afterMs: receivedAtMs === undefined ? undefined : 0,
      reached: true,
    },
    {
      status: 'preconfirmed',
      name: <Term of="preconfirmed">Pre-confirmed</Term>,
      detail: isPreconfirmed ? (
        <>
          in {where}
          {progress.partialIndex !== undefined && `, partial block ${partialNumber(progress.partialIndex)}`}
        </>
      ) : (
        tx && <WaitReason tx={tx} />
      ),
      afterMs: preconfirmedMs,
      reached: isPreconfirmed,
    },
    {
      status: 'sealed',
      name: <Term of="sealed">Sealed</Term>,
      detail: isSealed ? <>in {where}</> : isPreconfirmed ? 'waiting for the seal' : undefined,
      afterMs: sealedMs,
      reached: isSealed,
    },
  ]
  const longestMs = Math.max(sealedMs ?? 0, preconfirmedMs ?? 0, waited ?? 0)
  const shareOf = ({ afterMs }: Step, waitedMs: number | undefined) =>
    longestMs > 0 ? (afterMs ?? waitedMs ?? 0) / longestMs : 0
  const awaited = steps.findIndex((step) => !step.reached)
  const timesLost = steps.some((step) => step.reached && step.afterMs === undefined)
  return (
    <>
      <div className={css('frame')}>
        <ol className={css('steps')}>
          {steps.map((step, i) => (
            <li key={step.status} className={css('step', step.reached && step.status)}>
              <span className={css('name')}>
                <Glyph sign={step.reached ? step.status : 'dropped'} size={14} />
                {step.name}
              </span>
              <span className={css('time')}>{timeOf(step, i, i === awaited ? waited : undefined)}</span>
              <span className={css('track')} aria-hidden="true">
                <span
                  className={css('bar')}
                  style={{ '--share': shareOf(step, i === awaited ? waited : undefined) } as CSSProperties}
                />
              </span>
              <span className={css('detail')}>{ended && !step.reached ? 'did not happen' : step.detail}</span>
            </li>
          ))}
        </ol>
      </div>
      {helps && tx && progress.status === 'mempool' && (
        <div className={css('ending')}>
          <TransactionGap from={tx.from} nonce={Number(tx.nonce)} />
        </div>
      )}
      {timesLost && <p className={css('ending')}>{LOST_TIMES}</p>}
      {withdrawalsOf(events).map((withdrawal) => (
        <p key={withdrawal.withdrawnAtMs} className={css('ending')}>
          {withdrawalWords(withdrawal)}
        </p>
      ))}
      {replaced && (
        <p className={css('ending')}>
          It replaced{' '}
          <AppLink to={`/tx/${replaced}`} className="mono">
            {shortHex(replaced)}
          </AppLink>
          , which had the same nonce.
        </p>
      )}
      {ending?.kind === 'dropped' && (
        <p className={css('ending')}>Dropped from the mempool: {othersText(ending.reason)}.</p>
      )}
      {ending?.kind === 'replaced' && (
        <p className={css('ending')}>
          Replaced by{' '}
          <AppLink to={`/tx/${ending.by}`} className="mono">
            {shortHex(ending.by)}
          </AppLink>
          , which has the same nonce.
        </p>
      )}
    </>
  )
}

function timeOf({ afterMs }: Step, position: number, waited: number | undefined): string {
  if (position === 0 && afterMs === 0) return 'start'
  if (afterMs !== undefined)
    return `${position === 0 || Math.round(afterMs) === 0 ? '' : '+'}${formatDuration(afterMs)}`
  return waited === undefined ? '–' : formatDuration(waited)
}

/** The reason why a transaction stays in the mempool. */
function WaitReason({ tx }: { tx: RpcTransaction }) {
  const { devnet } = useCapabilities()
  const version = useFeed((feed) => feed.live?.hash)
  const { data: facts } = useQuery(senderQuery(useProvider(), tx.from, version ?? '', devnet))
  if (!facts) return 'waiting in the mempool'
  const { text, term } = waitsFor(Number(tx.nonce), offerOf(tx), facts)
  return (
    <>
      {text}
      {term === 'nonce-gap' && (
        <>
          : a <Term of="nonce-gap">nonce gap</Term>
        </>
      )}
    </>
  )
}
