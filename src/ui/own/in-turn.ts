let previous: Promise<unknown> = Promise.resolve()

/** Runs what takes a nonce after what took one before, whatever became of it: so that nonces do not collide. */
export function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const running = previous.then(run)
  previous = running.catch(() => undefined)
  return running
}
