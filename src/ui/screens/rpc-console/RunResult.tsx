import { TriangleAlert } from 'lucide-react'
import { ProviderRpcError } from '#client/provider.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { formatTook } from './call-words.ts'
import { explainRefusal } from './explain-refusal.ts'
import { JsonView } from './JsonView.tsx'
import styles from './RunResult.module.css'
import type { RunOutcome } from './use-run.ts'

const css = classNames(styles)

/** What came of the newest run. */
export function RunResult({ outcome, running }: { outcome: RunOutcome | undefined; running: boolean }) {
  return (
    <div className={css('result')}>
      <output className={css('status')} aria-label="Result of the request">
        {running ? 'Waiting for the answer…' : outcome ? statusWords(outcome) : 'Nothing has been run yet.'}
      </output>
      {outcome?.end.ok && <JsonView label="Result" value={outcome.end.result} />}
      {outcome && !outcome.end.ok && <Refusal error={outcome.end.error} />}
    </div>
  )
}

function statusWords({ method, tookMs, end }: RunOutcome): string {
  return `${method} ${end.ok ? 'answered' : 'was refused'} after ${formatTook(tookMs)}`
}

function Refusal({ error }: { error: unknown }) {
  const { what, why } = explainRefusal(error)
  const data = error instanceof ProviderRpcError ? error.data : undefined
  return (
    <>
      <div className={css('refusal')}>
        <TriangleAlert size={16} aria-hidden="true" className={css('icon')} />
        <div>
          <p className={css('what')}>{what}</p>
          <p className={css('why')}>{why}</p>
        </div>
      </div>
      {data !== undefined && <JsonView label="Error data" value={data} />}
    </>
  )
}
