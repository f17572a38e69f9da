import { queryOptions } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import type { RpcExecutionSubject, RpcStepWindow, RpcStorageTrace } from '#rpc-types/execution-trace.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { type Run, RunError, readRun } from '#ui/execution/run.ts'
import type { Subject } from '#ui/execution/subject.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { unlessMissing } from './traces.ts'

/** Milliseconds for which a run that nothing shows is kept: it can take many megabytes. */
const KEPT_MS = 30_000

function toRpc(subject: Subject): RpcExecutionSubject {
  return subject.kind === 'transaction' ? subject.hash : subject.call
}

/** A text that is the same for the same subject only. */
export function subjectKey(subject: Subject): string {
  return subject.kind === 'transaction' ? subject.hash : JSON.stringify(subject.call)
}

/** A transaction's version: where it was executed. It stays the same when its block is sealed. */
export function versionOf({ blockNumber, transactionIndex }: RpcReceipt): string {
  return `${blockNumber} ${transactionIndex}`
}

/**
 * The run of a subject: executes it once more.
 *
 * @param version - Of a transaction the block that executed it; another one after a reorg.
 */
export const runQuery = (provider: BlinknetProvider, subject: Subject, version: string) =>
  queryOptions({
    queryKey: ['devnet_traceExecution', subjectKey(subject), version],
    queryFn: () => openRun(provider, subject),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
  })

async function openRun(provider: BlinknetProvider, subject: Subject): Promise<Run> {
  const trace = await provider.request({ method: 'devnet_traceExecution', params: [toRpc(subject)] })
  try {
    return readRun(trace)
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    throw new ExplainedError('This execution cannot be opened.', error.message, { cause: error })
  }
}

/** Asks for steps of a subject's run in full. */
export function fetchSteps(
  provider: BlinknetProvider,
  subject: Subject,
  first: number,
  count: number,
): Promise<RpcStepWindow> {
  return provider.request({ method: 'devnet_traceSteps', params: [toRpc(subject), first, count] })
}

/**
 * Asks for the storage that a subject's run uses; `null` if the chain does not tell.
 *
 * @param slots - More slots whose values before it are wanted, by account.
 */
export function fetchStorage(
  provider: BlinknetProvider,
  subject: Subject,
  slots: Readonly<Record<Address, readonly Hash[]>>,
): Promise<RpcStorageTrace | null> {
  return unlessMissing(provider.request({ method: 'devnet_traceStorage', params: [toRpc(subject), slots] }))
}

/** What a subject writes with `console.log`; `null` if the chain does not tell. @param version - As of the run's query. */
export const consoleQuery = (provider: BlinknetProvider, subject: Subject, version: string) =>
  queryOptions({
    queryKey: ['devnet_getConsoleLogs', subjectKey(subject), version],
    queryFn: () => unlessMissing(provider.request({ method: 'devnet_getConsoleLogs', params: [toRpc(subject)] })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  })
