import { Download, Pause, Play, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { CallLog, Kept, LoggedCall } from '#client/session/call-log.ts'
import { Button } from '#ui/components/Button.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { fieldClass } from '#ui/components/form/Field.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { formatInteger } from '#ui/format/numbers.ts'
import { type CallFilter, filterCalls, SOURCE_WORDS } from '#ui/screens/rpc-console/store/call-filter.ts'
import { filterLog, selectCall, useConsole } from '#ui/screens/rpc-console/store/console-store.ts'
import type { SnippetTarget } from '#ui/screens/rpc-console/values/copy-as.ts'
import { download } from '#ui/storage/download.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { CallDetail } from './CallDetail.tsx'
import styles from './CallLogPanel.module.css'
import { CallTable } from './CallTable.tsx'

const css = classNames(styles)

/** How many rows are shown; the log holds more for the filter and the export. */
const ROWS = 100
const SOURCES: readonly CallFilter['source'][] = ['relevant', 'all', 'page', 'console', 'script', 'wallet']

function nameOf(source: CallFilter['source']): string {
  if (source === 'relevant') return 'all except the page’s reads'
  return source === 'all' ? 'all sources' : SOURCE_WORDS[source]
}

/** The page's calls as they are made, newest first. */
export function CallLogPanel({ log, target }: { log: CallLog; target: SnippetTarget }) {
  const [latest, setLatest] = useState<readonly LoggedCall[]>(log.entries)
  const [held, setHeld] = useState<readonly LoggedCall[]>()
  useEffect(() => followCalls(log, setLatest), [log])
  const filter = useConsole((state) => state.filter)
  const selected = useConsole((state) => state.selected)

  const calls = held ?? latest
  const matching = useMemo(() => filterCalls(calls, filter), [calls, filter])
  const shown = useMemo(() => matching.slice(-ROWS), [matching])
  const open = calls.find(({ id }) => id === selected)
  const missed = held ? Math.max(0, (latest.at(-1)?.id ?? 0) - (held.at(-1)?.id ?? 0)) : 0

  function clear(): void {
    log.clear()
    setHeld(held && [])
    selectCall(undefined)
  }

  function save(): void {
    download(new Blob([exportCalls(matching)], { type: 'application/json' }), 'blinknet-rpc-log.json')
  }

  return (
    <Panel
      title="Call log"
      aside={`${formatInteger(shown.length)} of ${formatInteger(matching.length)} calls, newest first`}
    >
      <div className={css('bar')}>
        <input
          type="search"
          className={`${fieldClass} ${css('search')}`}
          aria-label="Filter by method or error"
          placeholder="Filter by method or error"
          value={filter.text}
          onChange={(event) => filterLog({ text: event.target.value })}
        />
        <select
          className={`${fieldClass} ${css('source')}`}
          aria-label="Source"
          value={filter.source}
          onChange={(event) =>
            filterLog({ source: SOURCES.find((source) => source === event.target.value) ?? 'relevant' })
          }
        >
          {SOURCES.map((source) => (
            <option key={source} value={source}>
              {nameOf(source)}
            </option>
          ))}
        </select>
        <CheckField checked={filter.failedOnly} onChange={(failedOnly) => filterLog({ failedOnly })}>
          Errors only
        </CheckField>
        <div className={css('actions')}>
          <Button size="small" aria-pressed={held !== undefined} onClick={() => setHeld(held ? undefined : latest)}>
            {held ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
            {held ? `Resume log${missed > 0 ? `, +${formatInteger(missed)} new` : ''}` : 'Pause log'}
          </Button>
          <Button size="small" onClick={clear}>
            <Trash2 size={14} aria-hidden="true" />
            Clear
          </Button>
          <Button size="small" disabled={matching.length === 0} onClick={save}>
            <Download size={14} aria-hidden="true" />
            Export
          </Button>
        </div>
      </div>
      <CallTable calls={shown} selected={open?.id} />
      {open && <CallDetail key={open.id} call={open} target={target} />}
    </Panel>
  )
}

const LEFT_OUT = '(too large to keep)'

/** The calls as JSON for other programs: request, answer, time and duration. */
export function exportCalls(calls: readonly LoggedCall[]): string {
  return JSON.stringify(calls.map(exportCall), undefined, 2)
}

function exportCall({ id, source, method, params, startedAtMs, outcome }: LoggedCall) {
  const head = {
    id,
    source,
    startedAt: new Date(startedAtMs).toISOString(),
    request: { method, params: plain(params) },
  }
  switch (outcome.status) {
    case 'waiting':
      return { ...head, response: null }
    case 'answered':
      return { ...head, tookMs: outcome.tookMs, response: { result: plain(outcome.result) } }
    case 'failed': {
      const { code, message, data, tookMs } = outcome
      const hasData = !data.kept || data.value !== undefined
      return { ...head, tookMs, response: { error: { code, message, ...(hasData && { data: plain(data) }) } } }
    }
  }
}

function plain(kept: Kept): unknown {
  return kept.kept ? kept.value : LEFT_OUT
}

/** Longest delay of an update, in milliseconds. Changes are shown together, since showing each would be costly. */
const BATCH_MS = 150

/**
 * Passes on the log's entries, now and after changes, at most once per {@link BATCH_MS}.
 *
 * @returns Stops that.
 */
export function followCalls(log: CallLog, show: (calls: readonly LoggedCall[]) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = log.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      show(log.entries())
    }, BATCH_MS)
  })
  show(log.entries())
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
