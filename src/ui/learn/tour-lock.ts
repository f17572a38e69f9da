const NAME = 'blinknet:tour'

/** Tells other tabs that a tour is running, until the returned function is called or this page goes away. */
export function holdTour(): () => void {
  const giveUp = new AbortController()
  let end = () => giveUp.abort()
  navigator.locks
    ?.request(NAME, { signal: giveUp.signal }, () => new Promise<void>((resolve) => (end = resolve)))
    .catch((error: unknown) => {
      // Released before it was granted.
      if (!giveUp.signal.aborted) throw error
    })
  return () => end()
}

/** Runs `act` unless any tab has a tour running. */
export async function unlessOnTour(act: () => Promise<void>): Promise<void> {
  await navigator.locks?.request(NAME, { ifAvailable: true }, (lock) => (lock ? act() : undefined))
}
