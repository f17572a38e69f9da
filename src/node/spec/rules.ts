/** The forks that the engines support, oldest first. The chain itself uses the newest. */
export const FORKS = ['Cancun', 'Prague', 'Osaka'] as const
export type Fork = (typeof FORKS)[number]

export const NEWEST_FORK = 'Osaka' satisfies Fork

/** Whether `fork` includes the rules introduced by `since`. */
export function isSince(fork: Fork, since: Fork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(since)
}
