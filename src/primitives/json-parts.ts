import { CLOSING_BRACE, CLOSING_BRACKET, endOfString, OPENING_BRACE, OPENING_BRACKET, QUOTE } from './json-text.ts'

const COMMA = 0x2c

/** The texts between the commas of a list or an object: its items, or its members with their names. */
export function jsonParts(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case OPENING_BRACKET:
      case OPENING_BRACE:
        if (++depth === 1) start = at + 1
        break
      case COMMA:
        if (depth !== 1) break
        parts.push(text.slice(start, at))
        start = at + 1
        break
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        if (--depth === 0 && text.slice(start, at).trim() !== '') parts.push(text.slice(start, at))
    }
  }
  return parts
}

/**
 * The text of a member of an object; of several with that name the last one, as in `JSON.parse`.
 *
 * @param text - Valid JSON; a value that is no object has no members.
 */
export function memberText(text: string, name: string): string | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  for (const part of jsonParts(text).toReversed()) {
    const quote = part.indexOf('"')
    const end = endOfString(part, quote)
    if (JSON.parse(part.slice(quote, end + 1)) === name) return part.slice(part.indexOf(':', end) + 1).trim()
  }
  return undefined
}
