import type { RoomGuests } from '#rpc-types/methods/room.ts'
import { formatDuration, formatInteger } from '#ui/format/numbers.ts'
import { percentile } from '#ui/screens/live/latency/latency.ts'
import { useLatencies } from '#ui/screens/live/latency/use-latencies.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Closing.module.css'
import { useEvening } from './evening.ts'

const css = classNames(styles)

/** The last picture: the numbers of the evening, as they were measured. */
export function Closing({ audience }: { audience: RoomGuests | undefined }) {
  const { blocks, transactions } = useEvening()
  const samples = useLatencies()
  const early = percentile(
    samples.map(({ preconfirmedMs }) => preconfirmedMs),
    0.5,
  )
  const late = percentile(
    samples.map(({ sealedMs }) => sealedMs),
    0.5,
  )
  return (
    <section className={css('closing')} aria-label="The numbers of the evening">
      <dl className={css('times')}>
        <div>
          <dt>Pre-confirmed after</dt>
          <dd className={css('preconfirmed')}>{early === undefined ? '–' : formatDuration(early)}</dd>
        </div>
        <div>
          <dt>Sealed after</dt>
          <dd className={css('sealed')}>{late === undefined ? '–' : formatDuration(late)}</dd>
        </div>
      </dl>
      <dl className={css('counts')}>
        <div>
          <dt>Transactions</dt>
          <dd>{formatInteger(transactions)}</dd>
        </div>
        <div>
          <dt>Blocks</dt>
          <dd>{formatInteger(blocks)}</dd>
        </div>
        {audience && (
          <div>
            <dt>Guests</dt>
            <dd>{formatInteger(audience.guests.length)}</dd>
          </div>
        )}
      </dl>
      <p className={css('note')}>Medians, measured in the node since this stage was opened.</p>
    </section>
  )
}
