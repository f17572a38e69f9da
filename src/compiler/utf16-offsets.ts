/**
 * Turns offsets in a text's UTF-8 bytes into those of its UTF-16 code units. An offset inside a character counts as
 * the start of the character, an offset past the end as the end.
 */
export function utf16Offsets(text: string): (byteOffset: number) => number {
  // Most sources are ASCII, where both are the same.
  if (/^[\0-\x7f]*$/.test(text)) return (byteOffset) => Math.min(byteOffset, text.length)
  return (byteOffset) => {
    let bytes = 0
    let units = 0
    for (const character of text) {
      bytes += utf8Length(character.codePointAt(0) ?? 0)
      if (bytes > byteOffset) return units
      units += character.length
    }
    return units
  }
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}
