import { useQuery } from '@tanstack/react-query'
import { solidityReader } from '#client/solidity-reader.ts'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { Looked } from '#solidity/worker/messages.ts'
import type { Run } from '#ui/execution/run.ts'
import type { Subject } from '#ui/execution/subject.ts'
import { subjectKey } from './executions.ts'
import { useKnownBuilds } from './known-builds.ts'
import type { CodeAt } from './node-builds.ts'

/** Milliseconds for which the places of a run that nothing shows are kept. */
const KEPT_MS = 30_000

/**
 * What the sources of its contracts say of a run; looked up again when a build is added.
 *
 * @param version - As of the run's query.
 */
export function useStepSources(run: Run | undefined, subject: Subject, version: string) {
  const builds = useKnownBuilds()
  return useQuery({
    queryKey: ['step sources', ...builds.key, subjectKey(subject), version, run?.steps],
    queryFn: async ({ signal }): Promise<Looked | null> => {
      if (!run) return null
      return solidityReader.ask('look', await builds.find(codesOf(run.trace), signal), { trace: run.trace }, signal)
    },
    enabled: run !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
  })
}

/** The codes that ran. */
export function codesOf({ frames, codes }: RpcExecutionTrace): CodeAt[] {
  return frames.flatMap(({ type, code, codeAddress }) => {
    const hex = code === null ? undefined : codes[code]
    return hex === undefined ? [] : [{ address: codeAddress, code: hex, isCreation: type.startsWith('CREATE') }]
  })
}
