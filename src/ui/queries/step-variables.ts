import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { solidityReader } from '#client/solidity-reader.ts'
import type { StepVariables } from '#solidity/variables/run-variables.ts'
import type { Looked } from '#solidity/worker/messages.ts'
import { frameAt, type Run } from '#ui/execution/run.ts'
import type { FullStep } from '#ui/execution/step-windows.ts'
import type { Subject } from '#ui/execution/subject.ts'
import { useProvider } from '#ui/page/session.ts'
import { fetchStorage, subjectKey } from './executions.ts'
import { useKnownBuilds } from './known-builds.ts'
import { codesOf } from './step-sources.ts'

/** Milliseconds for which a run's storage, and the variables of a step, are kept when nothing shows them. */
const KEPT_MS = { run: 30_000, step: 5_000 }

/** The variables of a step, as far as they have come. */
export interface ShownVariables {
  readonly step: number
  readonly variables: StepVariables
}

/**
 * The variables before a step, or those of the step before while they are looked up.
 *
 * @param looked - What the sources say of the run.
 * @param step - In full; `undefined` until the node has answered.
 * @param version - As of the run's query.
 */
export function useStepVariables(
  { run, subject, version }: { run: Run; subject: Subject; version: string },
  looked: Looked | undefined,
  at: number,
  step: FullStep | undefined,
) {
  const provider = useProvider()
  const builds = useKnownBuilds()
  const key = [...builds.key, subjectKey(subject), version, run.steps]
  const opened = useQuery({
    queryKey: ['storage of a run', ...key],
    queryFn: async () => {
      const storage = await fetchStorage(provider, subject, looked?.slots ?? {})
      return storage && { run: { trace: run.trace, storage }, builds: await builds.find(codesOf(run.trace)) }
    },
    enabled: looked !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS.run,
    structuralSharing: false,
  })
  const told = useQuery({
    queryKey: ['variables of a step', ...key, at],
    queryFn: async (): Promise<ShownVariables | null> => {
      if (!opened.data || !step) return null
      const data = { stack: step.stack, memory: step.memory, input: frameAt(run, at).input }
      const asked = { run: opened.data.run, step: at, data }
      return { step: at, variables: await solidityReader.ask('variables', opened.data.builds, asked) }
    },
    enabled: Boolean(opened.data && step),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS.step,
    structuralSharing: false,
  })
  return { shown: told.data ?? undefined, error: opened.error ?? told.error, isMissing: opened.data === null }
}
