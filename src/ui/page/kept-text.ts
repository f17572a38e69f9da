/** The lifetime of a kept text: `visit` outlives a reload of the tab, `browser` its end. */
export type Keeping = 'visit' | 'browser'

const storageOf = (where: Keeping) => (where === 'visit' ? sessionStorage : localStorage)

/** A small text that the browser keeps; `null` where there is none, or storage is off. */
export function readKept(key: string, where: Keeping = 'browser'): string | null {
  try {
    return storageOf(where).getItem(key)
  } catch {
    // Storage is off in this browser.
    return null
  }
}

/** Keeps a text, where that is possible; `null` forgets it. */
export function keep(key: string, text: string | null, where: Keeping = 'browser'): void {
  try {
    if (text === null) storageOf(where).removeItem(key)
    else storageOf(where).setItem(key, text)
  } catch {
    // Storage is off or full: what it says lasts as long as the page.
  }
}
