import { memo, useMemo } from 'react'
import type { LoggedCall } from '#client/session/call-log.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { SOURCE_WORDS } from '#ui/screens/rpc-console/store/call-filter.ts'
import { selectCall } from '#ui/screens/rpc-console/store/console-store.ts'
import { formatClock, formatTook, outcomeWords } from '#ui/screens/rpc-console/values/call-words.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CallTable.module.css'

const css = classNames(styles)

/** Calls as rows; their bars share one axis. */
export function CallTable({ calls, selected }: { calls: readonly LoggedCall[]; selected: number | undefined }) {
  const bars = useMemo(() => waterfall(calls), [calls])
  return (
    <div className={css('scroll')}>
      <table className={css('table')} aria-label="Calls">
        <thead>
          <tr>
            <th scope="col" className={css('time')}>
              Time
            </th>
            <th scope="col">Method</th>
            <th scope="col" className={css('source')}>
              Source
            </th>
            <th scope="col" className={css('number')}>
              Took
            </th>
            <th scope="col" className={css('waterfall')}>
              Duration
            </th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {calls.toReversed().map((call) => {
            const bar = bars.get(call.id)
            return (
              <Row
                key={call.id}
                call={call}
                offset={bar?.offset ?? 0}
                length={bar?.length ?? 0}
                selected={call.id === selected}
              />
            )
          })}
        </tbody>
      </table>
      {calls.length === 0 && <p className="empty">No calls to show yet. Run a request above, or show all sources.</p>}
    </div>
  )
}

const Row = memo(function Row({
  call: { id, startedAtMs, method, source, outcome },
  offset,
  length,
  selected,
}: {
  call: LoggedCall
  offset: number
  length: number
  selected: boolean
}) {
  return (
    <tr className={css('row', selected && 'selected')}>
      <td className={css('time')}>{formatClock(startedAtMs)}</td>
      <td>
        <button
          type="button"
          className={css('method')}
          aria-expanded={selected}
          onClick={() => selectCall(selected ? undefined : id)}
        >
          {othersText(method, LONGEST_NAME)}
        </button>
      </td>
      <td className={css('source')}>{SOURCE_WORDS[source]}</td>
      <td className={css('number')}>{outcome.status === 'waiting' ? '…' : formatTook(outcome.tookMs)}</td>
      <td className={css('waterfall')}>
        <span
          className={css('span', outcome.status === 'failed' && 'failed')}
          style={{ marginLeft: `${offset * 100}%`, width: `${length * 100}%` }}
        />
      </td>
      <td className={css(outcome.status === 'failed' && 'refused')}>{outcomeWords(outcome)}</td>
    </tr>
  )
})

/** Position of a call's bar on the common axis, as shares of its length. */
export interface WaterfallBar {
  readonly offset: number
  readonly length: number
}

/** Calls that start within this many milliseconds of each other form a group. */
const TOGETHER_MS = 20

/**
 * Bars for calls, oldest first. Calls that start together share one origin, which shows which waited for which; the
 * axis is as long as the longest group.
 *
 * @returns By id; pending calls have none.
 */
export function waterfall(calls: readonly LoggedCall[]): ReadonlyMap<number, WaterfallBar> {
  const spans: { readonly id: number; readonly fromMs: number; readonly tookMs: number }[] = []
  let groupStartMs = Number.NEGATIVE_INFINITY
  let previousMs = Number.NEGATIVE_INFINITY
  for (const { id, startedAtMs, outcome } of calls) {
    if (startedAtMs - previousMs > TOGETHER_MS) groupStartMs = startedAtMs
    previousMs = startedAtMs
    if (outcome.status !== 'waiting') spans.push({ id, fromMs: startedAtMs - groupStartMs, tookMs: outcome.tookMs })
  }
  const axisMs = spans.reduce((longest, { fromMs, tookMs }) => Math.max(longest, fromMs + tookMs), 0)
  if (axisMs === 0) return new Map(spans.map(({ id }) => [id, { offset: 0, length: 0 }]))
  return new Map(spans.map(({ id, fromMs, tookMs }) => [id, { offset: fromMs / axisMs, length: tookMs / axisMs }]))
}
