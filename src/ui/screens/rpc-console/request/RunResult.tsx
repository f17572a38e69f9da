import { ProviderRpcError } from '#client/session/provider.ts'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { formatTook } from '#ui/screens/rpc-console/values/call-words.ts'
import { JsonView } from '#ui/screens/rpc-console/values/JsonView.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { explainRefusal } from './explain-refusal.ts'
import styles from './RunResult.module.css'
import type { RunOutcome } from './use-run.ts'

const css = classNames(styles)

/** Result of the newest run. */
export function RunResult({ outcome, running }: { outcome: RunOutcome | undefined; running: boolean }) {
  return (
    <Panel title="Answer">
      <div className={css('result')}>
        <output className="note" aria-label="Result of the request">
          {running
            ? 'Waiting for the answer…'
            : outcome
              ? statusWords(outcome)
              : 'Press Run, or ⌘ or Ctrl with Enter. The answer comes here.'}
        </output>
        {outcome?.end.ok && <JsonView label="Result" value={outcome.end.result} />}
        {outcome && !outcome.end.ok && <Refusal error={outcome.end.error} />}
      </div>
    </Panel>
  )
}

function statusWords({ method, tookMs, end }: RunOutcome): string {
  return `${method} ${end.ok ? 'answered' : 'was rejected'} in ${formatTook(tookMs)}`
}

function Refusal({ error }: { error: unknown }) {
  const data = error instanceof ProviderRpcError ? error.data : undefined
  return (
    <>
      <FailureNote {...explainRefusal(error)} />
      {data !== undefined && <JsonView label="Error data" value={data} />}
    </>
  )
}
