import type { Address } from '#primitives/hex.ts'
import type { RpcCallFrame, RpcCallLog } from '#rpc-types/methods/debug.ts'

/** A step of a call: a nested call or a log. */
export type TraceEntry =
  | { readonly kind: 'call'; readonly frame: RpcCallFrame }
  | { readonly kind: 'log'; readonly log: RpcCallLog }

/** The steps of a call, in order. */
export function entriesOf({ calls = [], logs = [] }: RpcCallFrame): readonly TraceEntry[] {
  const entries: TraceEntry[] = []
  let next = 0
  for (const log of logs) {
    for (const end = Number(log.position); next < end && next < calls.length; next++)
      entries.push(callEntry(calls, next))
    entries.push({ kind: 'log', log })
  }
  for (; next < calls.length; next++) entries.push(callEntry(calls, next))
  return entries
}

function callEntry(calls: readonly RpcCallFrame[], position: number): TraceEntry {
  return { kind: 'call', frame: calls[position] as RpcCallFrame }
}

/** Number of calls in a call, including itself. */
export function countCalls(frame: RpcCallFrame): number {
  return (frame.calls ?? []).reduce((sum, call) => sum + countCalls(call), 1)
}

/** Number of logs of a call, including nested calls. */
export function countLogs(frame: RpcCallFrame): number {
  return (frame.calls ?? []).reduce((sum, call) => sum + countLogs(call), frame.logs?.length ?? 0)
}

/** Contracts whose errors a failed call may have returned: its own, or one that failed within it. */
export function errorAddresses({ to, calls = [] }: RpcCallFrame): readonly (Address | null)[] {
  return [to ?? null, ...calls.filter(({ error }) => error !== undefined).flatMap(errorAddresses)]
}

/**
 * The account in whose call a failed call's error arose: its own, or that of the innermost call whose error was passed on
 * byte for byte. Borrowed code runs for the account that borrows it.
 */
export function raiserOf({ to, output, calls = [] }: RpcCallFrame, borrower?: Address): Address | null {
  const account = borrower ?? to ?? null
  const failed = calls.findLast(
    (call) => call.error !== undefined && call.output !== undefined && call.output === output,
  )
  if (!failed) return account
  const borrows = failed.type === 'DELEGATECALL' || failed.type === 'CALLCODE'
  return raiserOf(failed, borrows ? (account ?? undefined) : undefined)
}
