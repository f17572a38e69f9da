/** Milliseconds after which the faces come even if no chain answers. */
const LONGEST_MS = 1_000

/** Milliseconds from the first view on, in which a first press may be answered. */
const SETTLED_MS = 300

/**
 * Puts the page in its own faces. A first visit has the chain first: faces that load beside it take its time. Later ones have
 * them at once.
 *
 * @param isKept - Whether the browser keeps the page's files.
 * @param onChain - Calls its listener with each change of the chain, from the first one on; returns what ends that.
 */
export function wearFaces(isKept: boolean, onChain: (listener: () => void) => () => void): void {
  const wear = () => {
    document.documentElement.dataset['faces'] = 'own'
  }
  if (isKept) return wear()
  const latest = setTimeout(wear, LONGEST_MS)
  const stop = onChain(() => {
    stop()
    clearTimeout(latest)
    // Once the chain is painted.
    requestAnimationFrame(() => setTimeout(wear, SETTLED_MS))
  })
  return undefined
}
