import { useState } from 'react'
import type { Kept, LoggedCall } from '#client/session/call-log.ts'
import { Button } from '#ui/components/Button.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { SOURCE_WORDS } from '#ui/screens/rpc-console/store/call-filter.ts'
import { chooseMethod, selectCall } from '#ui/screens/rpc-console/store/console-store.ts'
import { CopyAs } from '#ui/screens/rpc-console/values/CopyAs.tsx'
import { formatClock, formatTook, outcomeWords } from '#ui/screens/rpc-console/values/call-words.ts'
import type { SnippetTarget } from '#ui/screens/rpc-console/values/copy-as.ts'
import { JsonView } from '#ui/screens/rpc-console/values/JsonView.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CallDetail.module.css'

const css = classNames(styles)

const SIDES = [
  { value: 'request', label: 'Request' },
  { value: 'response', label: 'Response' },
] as const

/** One call: its request and its answer. */
export function CallDetail({ call, target }: { call: LoggedCall; target: SnippetTarget }) {
  const [side, setSide] = useState<'request' | 'response'>('response')
  const { id, method, source, startedAtMs, params, outcome } = call
  const list = params.kept && Array.isArray(params.value) ? (params.value as readonly unknown[]) : undefined
  const took = outcome.status === 'waiting' ? '' : ` after ${formatTook(outcome.tookMs)}`
  return (
    <section className={css('detail')} aria-label={`Call ${id}`}>
      <div className={css('head')}>
        <h3 className={css('title')}>{othersText(method, LONGEST_NAME)}</h3>
        <span className="note">
          from {SOURCE_WORDS[source]} at {formatClock(startedAtMs)}, {outcomeWords(outcome)}
          {took}
        </span>
      </div>
      <div className="row">
        <Segmented legend="Side of the call" options={SIDES} value={side} onChange={setSide} />
        <Button size="small" disabled={!list} onClick={() => list && chooseMethod(method, list)}>
          Edit in the console
        </Button>
        <Button size="small" onClick={() => selectCall(undefined)}>
          Close
        </Button>
      </div>
      {side === 'request' ? <KeptValue label="Request parameters" kept={params} /> : <Response call={call} />}
      {list && <CopyAs method={method} params={list} target={target} />}
    </section>
  )
}

function Response({ call: { outcome } }: { call: LoggedCall }) {
  switch (outcome.status) {
    case 'waiting':
      return <p className="note">There is no answer yet.</p>
    case 'answered':
      return <KeptValue label="Response" kept={outcome.result} />
    case 'failed':
      return (
        <>
          <p className={css('failed')}>{othersText(outcome.message)}</p>
          {(!outcome.data.kept || outcome.data.value !== undefined) && (
            <KeptValue label="Error data" kept={outcome.data} />
          )}
        </>
      )
  }
}

function KeptValue({ label, kept }: { label: string; kept: Kept }) {
  if (kept.kept) return <JsonView label={label} value={kept.value} />
  return <p className="note">Too large for the log. Run the request in the console to see it.</p>
}
