import type { RoomGuests } from '#rpc-types/methods/room.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatDuration, formatInteger } from '#ui/format/numbers.ts'
import { chainTimeBetween, useTalkPaces } from '#ui/learn/chain-time.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { stepTimes } from '#ui/own/progress.ts'
import { useTimeline } from '#ui/queries/transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { roomNumbers } from './Audience.tsx'
import styles from './Stage.module.css'

const css = classNames(styles)

/** The room in a few numbers, large enough for the last row. */
export function RoomFigures({ audience }: { audience: RoomGuests | undefined }) {
  const { guests, rate, latency } = roomNumbers(audience)
  return (
    <dl className={css('figures')}>
      <Figure name="Guests" value={guests} />
      <Figure name="Transactions" value={rate} />
      <Figure name="Pre-confirmed in" value={latency} look="preconfirmed" />
    </dl>
  )
}

/** A few numbers, large enough for the last row. */
export function Figures() {
  const live = useFeed((feed) => feed.live?.number)
  const newest = useOwnTransactions(({ sent }) => sent[0]?.hash)
  return (
    <dl className={css('figures')}>
      <Figure name="Pending block" value={live === undefined ? '…' : `#${formatInteger(live)}`} />
      {newest ? <Times key={newest} hash={newest} /> : <NoTimes />}
    </dl>
  )
}

function Times({ hash }: { hash: `0x${string}` }) {
  const { data } = useTimeline(hash)
  const { receivedAtMs = 0, preconfirmedMs, sealedMs } = stepTimes(data?.events ?? [])
  const { paces } = useTalkPaces()
  const inWords = (ms: number | undefined) => {
    if (ms === undefined) return '…'
    const chainMs = chainTimeBetween(receivedAtMs, receivedAtMs + ms, paces)
    // A step by hand while the clock stood still took no time that could be told.
    return chainMs < 0.5 && ms > 1 ? '–' : formatDuration(chainMs)
  }
  return (
    <>
      <Figure name="Pre-confirmed after" value={inWords(preconfirmedMs)} look="preconfirmed" />
      <Figure name="Sealed after" value={inWords(sealedMs)} look="sealedTime" />
    </>
  )
}

function NoTimes() {
  return (
    <>
      <Figure name="Pre-confirmed after" value="–" />
      <Figure name="Sealed after" value="–" />
    </>
  )
}

function Figure({ name, value, look }: { name: string; value: string; look?: 'preconfirmed' | 'sealedTime' }) {
  return (
    <div className={css('figure')}>
      <dt className="muted">{name}</dt>
      <dd className={css('value', look)}>{value}</dd>
    </div>
  )
}
