/** The forks that the engines support, oldest first. The chain itself uses the newest. */
export const FORKS = ['Cancun', 'Prague', 'Osaka'] as const
export type HardforkName = (typeof FORKS)[number]

export const NEWEST_FORK = 'Osaka' satisfies HardforkName

/** Whether `fork` includes the rules introduced by `since`. */
export function isSince(fork: HardforkName, since: HardforkName): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(since)
}
