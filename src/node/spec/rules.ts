/** The hardforks that the engines support, oldest first. The chain itself uses the newest. */
export const HARDFORKS = ['Cancun', 'Prague', 'Osaka'] as const
export type HardforkName = (typeof HARDFORKS)[number]

export const NEWEST_HARDFORK = 'Osaka' satisfies HardforkName

/** Whether `hardfork` includes the rules introduced by `since`. */
export function isSince(hardfork: HardforkName, since: HardforkName): boolean {
  return HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(since)
}
