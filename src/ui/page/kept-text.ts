/** How long a stored text lasts: `visit` survives a reload of the tab, `browser` survives closing it. */
export type TextKeeping = 'visit' | 'browser'

const storageOf = (where: TextKeeping) => (where === 'visit' ? sessionStorage : localStorage)

/** A small stored text; `null` if there is none, or storage is off. */
export function readKept(key: string, where: TextKeeping = 'browser'): string | null {
  try {
    return storageOf(where).getItem(key)
  } catch {
    // Storage is off in this browser.
    return null
  }
}

/** Stores a text if possible; `null` deletes it. */
export function keep(key: string, text: string | null, where: TextKeeping = 'browser'): void {
  try {
    if (text === null) storageOf(where).removeItem(key)
    else storageOf(where).setItem(key, text)
  } catch {
    // Storage is off or full, so the choice lasts only as long as the page.
  }
}
