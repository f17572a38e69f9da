/** The forks whose rules the engines know, oldest first. The chain itself is under those of the newest. */
export const FORKS = ['Cancun', 'Prague', 'Osaka'] as const
export type Fork = (typeof FORKS)[number]

export const NEWEST_FORK = 'Osaka' satisfies Fork

/** Whether the rules that came with `since` hold under those of `fork`. */
export function isSince(fork: Fork, since: Fork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(since)
}
