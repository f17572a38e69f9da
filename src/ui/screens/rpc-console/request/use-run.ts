import { useMutation } from '@tanstack/react-query'
import type { BlinknetProvider } from '#client/session/provider.ts'

/** Outcome of a request. */
export interface RunOutcome {
  readonly method: string
  readonly params: readonly unknown[]
  readonly tookMs: number
  readonly end: { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: unknown }
}

/** What runs requests. */
export interface Runner {
  readonly run: (request: { readonly method: string; readonly params: readonly unknown[] }) => void
  readonly outcome: RunOutcome | undefined
  readonly running: boolean
}

/** Runs requests, one at a time; a refusal is a result like any other. */
export function useRun(provider: BlinknetProvider): Runner {
  const { mutate, data, isPending } = useMutation({
    mutationFn: async ({
      method,
      params,
    }: {
      readonly method: string
      readonly params: readonly unknown[]
    }): Promise<RunOutcome> => {
      const startedAt = performance.now()
      const ended = (end: RunOutcome['end']) => ({ method, params, tookMs: performance.now() - startedAt, end })
      try {
        return ended({ ok: true, result: await provider.request({ method, params }) })
      } catch (error) {
        return ended({ ok: false, error })
      }
    },
  })
  return { run: mutate, outcome: data, running: isPending }
}
