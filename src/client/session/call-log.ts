import { type BlinknetProvider, extendProvider } from './provider.ts'

/**
 * The caller: the page's own screens, a person at the RPC console, a script using `window.devnet`, or a dapp using the
 * wallet.
 */
export type CallSource = 'page' | 'console' | 'script' | 'wallet'

/** A value of a call, unless it is too large to keep. */
export type Kept = { readonly kept: true; readonly value: unknown } | { readonly kept: false }

/** Outcome of a call. */
export type CallOutcome =
  | { readonly status: 'waiting' }
  | { readonly status: 'answered'; readonly result: Kept; readonly tookMs: number }
  | {
      readonly status: 'failed'
      /** The EIP-1193 code; `undefined` if the call failed in another way. */
      readonly code: number | undefined
      readonly message: string
      readonly data: Kept
      readonly tookMs: number
    }

/** One logged call. */
export interface LoggedCall {
  /** Counts from 1. */
  readonly id: number
  readonly source: CallSource
  readonly method: string
  readonly params: Kept
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number
  readonly outcome: CallOutcome
}

/** The newest calls of this page. */
export interface CallLog {
  /** Logs the start of a call; call the result with its outcome. */
  readonly begin: (source: CallSource, method: string, params: unknown) => (outcome: SettledCall) => void
  /** Oldest first. */
  readonly entries: () => readonly LoggedCall[]
  readonly clear: () => void
  /** Calls `listener` at every change; the returned function stops that. */
  readonly subscribe: (listener: () => void) => () => void
}

/** A call's outcome: result or error. */
export type SettledCall = { readonly result: unknown } | { readonly error: unknown }

/** How many calls are kept. */
export const LOG_CAPACITY = 300
/** Approximate limits for a kept value: its characters as JSON, and its number of parts. */
const MAX_CHARACTERS = 64_000
const MAX_PARTS = 3_000

/**
 * Creates a log of the newest calls in a ring buffer.
 *
 * @param now - Milliseconds since the Unix epoch, with fractions.
 */
export function createCallLog(now: () => number = preciseNow): CallLog {
  const slots: (LoggedCall | undefined)[] = Array.from({ length: LOG_CAPACITY })
  const listeners = new Set<() => void>()
  let lastId = 0

  function put(call: LoggedCall): void {
    slots[call.id % LOG_CAPACITY] = call
    for (const notify of [...listeners]) notify()
  }

  return {
    begin(source, method, params) {
      const startedAtMs = now()
      const id = ++lastId
      const call: LoggedCall = { id, source, method, params: keep(params), startedAtMs, outcome: { status: 'waiting' } }
      put(call)
      return (settled) => {
        // The entry was overwritten or cleared.
        if (slots[id % LOG_CAPACITY]?.id !== id) return
        put({ ...call, outcome: outcomeOf(settled, now() - startedAtMs) })
      }
    },
    entries: () => slots.filter((call) => call !== undefined).toSorted((a, b) => a.id - b.id),
    clear() {
      slots.fill(undefined)
      for (const notify of [...listeners]) notify()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function outcomeOf(settled: SettledCall, tookMs: number): CallOutcome {
  if ('result' in settled) return { status: 'answered', result: keep(settled.result), tookMs }
  const { error } = settled
  const { code, data } =
    typeof error === 'object' && error !== null ? (error as { code?: unknown; data?: unknown }) : {}
  return {
    status: 'failed',
    code: typeof code === 'number' ? code : undefined,
    message: error instanceof Error ? error.message : String(error),
    data: keep(data),
    tookMs,
  }
}

/** The value itself, unless keeping it would take too much memory. */
export function keep(value: unknown): Kept {
  return isSmall(value) ? { kept: true, value } : { kept: false }
}

/** Stops at the limit, so that a huge answer costs no more than a large one. */
function isSmall(value: unknown): boolean {
  const rest: unknown[] = [value]
  let characters = 0
  let parts = 0
  while (rest.length > 0) {
    const part = rest.pop()
    parts++
    if (typeof part === 'string') characters += part.length
    else if (Array.isArray(part)) {
      if (part.length > MAX_PARTS) return false
      for (const item of part as unknown[]) rest.push(item)
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, item] of Object.entries(part)) {
        characters += key.length
        rest.push(item)
      }
    }
    if (characters > MAX_CHARACTERS || parts + rest.length > MAX_PARTS) return false
  }
  return true
}

function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}

/** A provider with its calls logged under `source`. */
export function tapProvider(provider: BlinknetProvider, source: CallSource, log: CallLog): BlinknetProvider {
  const request = async (args: { readonly method: string; readonly params?: readonly unknown[] | object }) => {
    const end = log.begin(source, args.method, args.params ?? [])
    try {
      const result = await provider.request(args)
      end({ result })
      return result
    } catch (error) {
      end({ error })
      throw error
    }
  }
  return extendProvider(provider, { request: request as BlinknetProvider['request'] })
}
