import { number } from '#rpc-types/option.ts'

/** How requests to a fork's endpoint are repeated. Times are in milliseconds. */
export const FORK_RANGES = {
  retries: number({ min: 0, max: 100, default: 5 }),
  backoffMs: number({ min: 0, max: 60_000, default: 1_000 }),
  timeoutMs: number({ min: 1, max: 600_000, default: 45_000 }),
}
