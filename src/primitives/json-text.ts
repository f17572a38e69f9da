/**
 * Reads from the text of JSON what its parsed value does not show, or before it is parsed: its depth, how many values it
 * has, and the digits of the ids of JSON-RPC. Without recursion.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

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

/**
 * The ids of a request, or of a batch's members, as written.
 *
 * @param text - Valid JSON.
 * @returns One per member; `undefined` if it has none, or if the id is not a number.
 */
export function memberIdTexts(text: string): readonly (string | undefined)[] {
  const isBatch = text.trimStart().startsWith('[')
  const memberDepth = isBatch ? 2 : 1
  const ids: (string | undefined)[] = []
  let members = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at)
        // JSON.parse takes the last of several members with the same name.
        if (depth === memberDepth && JSON.parse(text.slice(at, end + 1)) === 'id') {
          const number = /^\s*:\s*(-?\d[\d.eE+-]*)/u.exec(text.slice(end + 1))
          if (number) ids[members] = number[1]
          else if (/^\s*:/u.test(text.slice(end + 1))) ids[members] = undefined
        }
        at = end
        break
      }
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth++
        break
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--
        break
      case 0x2c:
        if (isBatch && depth === 1) members++
    }
  }
  return ids
}

/** Index of the closing quote of the string that starts at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
