/** Longest line of somebody else's text, in characters. */
const LONGEST_LINE = 1_000

/** Invisible characters and those that reorder others; a terminal would also obey control characters. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Somebody else's text as one line of a terminal: what would hide, reorder or command is spelt out, and what is too long is cut. */
export function harmlessLine(text: string, longest: number = LONGEST_LINE): string {
  const cut = text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : text
  return cut.replaceAll(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
