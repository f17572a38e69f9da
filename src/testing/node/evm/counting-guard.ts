import type { ExecutionGuard } from '#node/turns/guard.ts'

/** A guard that pauses at every check and counts the checks. */
export function countingGuard(): { readonly guard: ExecutionGuard; readonly looks: () => number } {
  let looks = 0
  const guard: ExecutionGuard = {
    async checkpoint() {
      looks++
    },
  }
  return { guard, looks: () => looks }
}
