const listeners = new Set<(text: string) => void>()

/** Has the page's live region say something, for people who cannot see what has changed. */
export function announce(text: string): void {
  for (const listener of listeners) listener(text)
}

/** @returns Stops listening. */
export function onAnnouncement(listener: (text: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
