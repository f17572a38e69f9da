const NAME = 'blinknet:tour'

/** Tells the other tabs that a tour is on, until the returned function is called or this page goes. */
export function holdTour(): () => void {
  const giveUp = new AbortController()
  let end = () => giveUp.abort()
  navigator.locks
    ?.request(NAME, { signal: giveUp.signal }, () => new Promise<void>((resolve) => (end = resolve)))
    .catch((error: unknown) => {
      // Given up before it was granted.
      if (!giveUp.signal.aborted) throw error
    })
  return () => end()
}

/** Runs `act` unless a tab is on the tour. */
export async function unlessOnTour(act: () => Promise<void>): Promise<void> {
  await navigator.locks?.request(NAME, { ifAvailable: true }, (lock) => (lock ? act() : undefined))
}
