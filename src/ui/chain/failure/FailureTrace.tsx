import { useQuery } from '@tanstack/react-query'
import type { FailureKind } from '#solidity/stack/failure.ts'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { useTellFound } from '#ui/components/use-tell-found.ts'
import type { Subject } from '#ui/execution/subject.ts'
import { useProvider } from '#ui/page/session.ts'
import { runQuery } from '#ui/queries/executions.ts'
import { useIsCompleting } from '#ui/queries/known-builds.ts'
import { useStepSources } from '#ui/queries/step-sources.ts'
import { type Guess, StackTrace } from './StackTrace.tsx'

/**
 * Executes something that failed once more, and shows why and where it failed.
 *
 * @param version - As of the run's query.
 * @param debugAddress - Address of its debugger.
 * @param told - The kind of reason that is on the screen already.
 * @param guess - Names an error that the sources do not explain.
 * @param onFound - Called when it stands there.
 */
export function FailureTrace({
  subject,
  version,
  debugAddress,
  told,
  guess,
  onFound,
}: {
  subject: Subject
  version: string
  debugAddress: string
  told?: FailureKind
  guess?: Guess
  onFound?: () => void
}) {
  const { data: run, error: runError } = useQuery(runQuery(useProvider(), subject, version))
  const looked = useStepSources(run, subject, version)
  const isCompleting = useIsCompleting()
  const error = runError ?? looked.error
  useTellFound(error !== null || Boolean(looked.data), onFound)
  if (error) return <ErrorNote error={error} />
  if (!looked.data) {
    return (
      <p role="status" className="muted">
        Looking for where it failed…
      </p>
    )
  }
  const { explanation } = looked.data
  if (!explanation) return <p className="muted">It no longer fails: the state has changed since.</p>
  return (
    <>
      <StackTrace
        explanation={explanation}
        told={told}
        guess={guess}
        debugAt={(step) => `${debugAddress}?step=${step}`}
      />
      {isCompleting && (
        <p role="status" className="note">
          Its build lacks compiler details. Compiling the sources again: more lines may follow…
        </p>
      )}
    </>
  )
}
