import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  endOfString,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from '#primitives/json-text.ts'

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
