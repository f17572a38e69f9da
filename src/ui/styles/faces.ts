/** Milliseconds after which the faces come even if no chain answers. */
const LONGEST_MS = 1_000

/**
 * Puts the page in its own faces. A first visit has the chain first: faces that load beside it take its time. Later ones have
 * them at once.
 *
 * @param isKept - Whether the browser keeps the page's files.
 * @param onChain - Calls its listener with each change of the chain, from the first one on; returns what ends that.
 */
export function wearFaces(isKept: boolean, onChain: (listener: () => void) => () => void): void {
  function wear(): void {
    stop?.()
    clearTimeout(latest)
    document.documentElement.dataset['faces'] = 'own'
  }
  let stop: (() => void) | undefined
  let latest: ReturnType<typeof setTimeout> | undefined
  if (isKept) return wear()
  latest = setTimeout(wear, LONGEST_MS)
  // Once the chain is painted.
  stop = onChain(() => requestAnimationFrame(() => requestAnimationFrame(wear)))
  return undefined
}
