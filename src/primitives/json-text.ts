/** Bounds the text of JSON before it is parsed: its depth, and how many values it has. Without recursion. */

/**
 * Deepest nesting of JSON in requests and files. Nothing needs more than a dozen levels; recursive code such as
 * `JSON.stringify` runs out of stack at a few thousand.
 */
export const MAX_JSON_LEVELS = 256

export const QUOTE = 0x22
const BACKSLASH = 0x5c
export const OPENING_BRACKET = 0x5b
export const CLOSING_BRACKET = 0x5d
export const OPENING_BRACE = 0x7b
export const CLOSING_BRACE = 0x7d

/** Whether arrays and objects are nested deeper than that many levels. Also works on text that is not JSON. */
export function isNestedDeeperThan(text: string, levels: number): boolean {
  // A level takes at least its opening character.
  if (text.length <= levels) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth++
        if (depth > levels) return true
        break
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--
    }
  }
  return false
}

/** Whether there are more values than that in JSON. Also counts what looks like one within strings. */
export function hasMoreValuesThan(text: string, most: number): boolean {
  let count = 0
  for (const start of [',', '[', '{']) {
    for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) if (++count > most) return true
  }
  return false
}

/** Index of the closing quote of the string that starts at `start`; the end of the text if there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
