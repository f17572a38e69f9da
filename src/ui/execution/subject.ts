import type { Hash } from '#primitives/hex.ts'
import type { RpcExecutedCall } from '#rpc-types/execution-trace.ts'

/** What to debug: a transaction by its hash, or an unsent call by the number that the page gave it. */
export type Subject =
  | { readonly kind: 'transaction'; readonly hash: Hash }
  | { readonly kind: 'call'; readonly id: string; readonly call: RpcExecutedCall }

/** Session storage key for calls, so that they survive a reload of the tab. */
const STORED_AS = 'blinknet:debugged-calls'
/** Most calls kept; the oldest go first. */
const MOST_CALLS = 20
/** Most characters of JSON; a longer call does not survive a reload. */
const LONGEST_STORED = 200_000

const calls = new Map<string, RpcExecutedCall>()

/** Keeps a call for the debugger. @returns The path of the debugger. */
export function debugAddressOf(call: RpcExecutedCall): string {
  restore()
  const text = JSON.stringify(call)
  const known = [...calls].find(([, other]) => JSON.stringify(other) === text)
  const id = known?.[0] ?? String(1 + Math.max(0, ...[...calls.keys()].map(Number)))
  calls.delete(id)
  calls.set(id, call)
  for (const old of [...calls.keys()].slice(0, -MOST_CALLS)) calls.delete(old)
  store()
  return `/call/${id}/debug`
}

/** A call that was kept; `undefined` if it is from another tab, or no longer kept. */
export function debuggedCall(id: string): RpcExecutedCall | undefined {
  restore()
  return calls.get(id)
}

function restore(): void {
  if (calls.size > 0) return
  const text = withStorage((storage) => storage.getItem(STORED_AS))
  if (!text) return
  for (const [id, call] of JSON.parse(text) as [string, RpcExecutedCall][]) calls.set(id, call)
}

function store(): void {
  const small = [...calls].filter(([, call]) => JSON.stringify(call).length <= LONGEST_STORED)
  withStorage((storage) => storage.setItem(STORED_AS, JSON.stringify(small)))
}

/** `undefined` if the browser allows no storage or has no room; calls then last as long as the page. */
function withStorage<Result>(run: (storage: Storage) => Result): Result | undefined {
  try {
    return run(sessionStorage)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return undefined
  }
}
