/** A small text that the browser keeps for the next visit; `null` where there is none, or storage is off. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage is off in this browser.
    return null
  }
}

/** Keeps a text for the next visit, where that is possible; `null` forgets it. */
export function keep(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Storage is off or full: what it says lasts as long as the page.
  }
}
