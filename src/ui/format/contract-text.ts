/**
 * Characters that are invisible or reorder those around them: controls, formats (soft hyphens, direction marks, tags),
 * line separators, everything that Unicode allows to be left undrawn, and fillers drawn as nothing.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Unseen characters except line breaks and tabs, which a block of text may have. */
const UNSEEN_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Characters that join or colour the emoji before them. Beside an emoji they hide nothing, and spelling them out would
 * break it.
 */
const EMOJI_PARTS =
  /(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})(?:\u200d(?=\p{Extended_Pictographic})|\ufe0f)/gu

/** Longest foreign text shown on one line, in characters. */
export const LONGEST_TEXT = 500
/** Longest name shown, in characters: of a dapp, contract, method or client. */
export const LONGEST_NAME = 100
/** Longest text shown where a person came to read it: a message to sign, a string of a contract. */
export const LONGEST_BLOCK = 20_000

/** Spells out the characters of a foreign text that would hide or reorder others. */
export function spellOut(text: string): string {
  return spell(text, UNSEEN)
}

/** The first `length` characters and a sign that there are more; never splits a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * Makes text from a contract, dapp, remote chain, file or link safe to show: nothing in it hides, reorders or pushes
 * away its surroundings.
 *
 * @param length - Characters to show.
 */
export function othersText(text: string, length = LONGEST_TEXT): string {
  return spellOut(cutText(text, length))
}

/** Other people's text of several lines: line breaks and tabs stay. */
export function othersLines(text: string, length = LONGEST_BLOCK): string {
  return spell(cutText(text, length).replaceAll('\r\n', '\n'), UNSEEN_IN_LINES)
}

function spell(text: string, unseen: RegExp): string {
  const kept = new Set(Array.from(text.matchAll(EMOJI_PARTS), ({ index }) => index))
  return text.replace(unseen, (character: string, at: number) =>
    kept.has(at) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}
