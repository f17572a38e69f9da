import { useMutation } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'
import { impersonate } from '#ui/own/impersonate.ts'

/** Outcome of a request. */
export interface RunOutcome {
  readonly method: string
  readonly params: readonly unknown[]
  readonly tookMs: number
  readonly end: { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: unknown }
}

/** A request to run. */
export interface ConsoleRequest {
  readonly method: string
  readonly params: readonly unknown[]
  /** An account that the node is to send or sign for without its key, which is asked first. */
  readonly impersonates?: Address | undefined
}

/** What runs requests. */
export interface Runner {
  readonly run: (request: ConsoleRequest) => void
  readonly outcome: RunOutcome | undefined
  readonly running: boolean
}

/** Runs requests, one at a time; a refusal is a result like any other. */
export function useRun(provider: BlinknetProvider): Runner {
  const { mutate, data, isPending } = useMutation({
    mutationFn: async ({ method, params, impersonates }: ConsoleRequest): Promise<RunOutcome> => {
      const startedAt = performance.now()
      const ended = (end: RunOutcome['end']) => ({ method, params, tookMs: performance.now() - startedAt, end })
      try {
        if (impersonates) await impersonate(provider, impersonates)
        return ended({ ok: true, result: await provider.request({ method, params }) })
      } catch (error) {
        return ended({ ok: false, error })
      }
    },
  })
  return { run: mutate, outcome: data, running: isPending }
}
