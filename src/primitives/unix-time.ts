/** Seconds up to the year 36812. As milliseconds it is in November 2004, before any chain of this kind. */
const MOST_SECONDS = 2 ** 40

/**
 * Milliseconds since the Unix epoch of a moment that somebody names in seconds or in milliseconds: numbers above 2^40 are
 * milliseconds.
 */
export function momentMs(time: number): number {
  return time > MOST_SECONDS ? time : time * 1000
}

/** Whole seconds since the Unix epoch of a moment that somebody names as in {@link momentMs}. */
export function momentSeconds(time: number): number {
  return Math.floor(momentMs(time) / 1000)
}
