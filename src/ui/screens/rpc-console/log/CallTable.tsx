import { useMemo } from 'react'
import type { LoggedCall } from '#client/session/call-log.ts'
import { type Column, Table } from '#ui/components/Table.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { SOURCE_WORDS } from '#ui/screens/rpc-console/store/call-filter.ts'
import { selectCall } from '#ui/screens/rpc-console/store/console-store.ts'
import { formatClock, formatTook, outcomeWords } from '#ui/screens/rpc-console/values/call-words.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CallTable.module.css'

const css = classNames(styles)

/** Calls as rows; their bars share one axis. */
export function CallTable({ calls, selected }: { calls: readonly LoggedCall[]; selected: number | undefined }) {
  const items = useMemo((): readonly Item[] => {
    const bars = waterfall(calls)
    return calls.toReversed().map((call) => ({ call, bar: bars.get(call.id), isSelected: call.id === selected }))
  }, [calls, selected])
  return (
    <div className={css('scroll')}>
      <Table
        label="Calls"
        columns={COLUMNS}
        items={items}
        keyOf={({ call }) => call.id}
        rowProps={({ isSelected }) => ({ className: css('row', isSelected && 'selected') })}
        rows="dense"
        sticky
        empty="No calls to show yet. Run a request above, or show all sources."
      />
    </div>
  )
}

interface Item {
  readonly call: LoggedCall
  readonly bar: WaterfallBar | undefined
  readonly isSelected: boolean
}

const COLUMNS: readonly Column<Item>[] = [
  { name: 'Time', narrow: 'detail', className: css('quiet'), cell: ({ call }) => formatClock(call.startedAtMs) },
  {
    name: 'Method',
    cell: ({ call: { id, method }, isSelected }) => (
      <button
        type="button"
        className={css('method')}
        aria-expanded={isSelected}
        onClick={() => selectCall(isSelected ? undefined : id)}
      >
        {othersText(method, LONGEST_NAME)}
      </button>
    ),
  },
  { name: 'Source', narrow: 'detail', className: css('quiet'), cell: ({ call }) => SOURCE_WORDS[call.source] },
  {
    name: 'Took',
    numeric: true,
    cell: ({ call: { outcome } }) => (outcome.status === 'waiting' ? '…' : formatTook(outcome.tookMs)),
  },
  {
    name: 'Duration',
    className: css('waterfall'),
    cell: ({ call: { outcome }, bar }) => (
      <span
        className={css('span', outcome.status === 'failed' && 'failed')}
        style={{ marginLeft: `${(bar?.offset ?? 0) * 100}%`, width: `${(bar?.length ?? 0) * 100}%` }}
      />
    ),
  },
  {
    name: 'Status',
    look: ({ call: { outcome } }) => css(outcome.status === 'failed' && 'refused'),
    cell: ({ call: { outcome } }) => outcomeWords(outcome),
  },
]

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
