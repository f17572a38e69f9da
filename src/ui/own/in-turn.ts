let previous: Promise<unknown> = Promise.resolve()

/**
 * Runs submissions one after the other, whether or not the previous one succeeded, so that their nonces do not collide.
 */
export function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const running = previous.then(run)
  previous = running.catch(() => undefined)
  return running
}
