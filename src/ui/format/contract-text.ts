/**
 * Characters that cannot be seen, or that turn the order of those around them: controls, formats (soft hyphens, marks of
 * direction, tags), separators of lines, whatever Unicode says may be left undrawn, and the fillers that are drawn as
 * nothing.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** The same but for line breaks and tabs, which a block of text may have. */
const UNSEEN_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Joins and colours the emoji before it. Beside an emoji they hide nothing, and spelling them out would tear it apart. */
const EMOJI_PARTS =
  /(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})(?:\u200d(?=\p{Extended_Pictographic})|\ufe0f)/gu

/** Characters of a text that somebody else wrote which are shown on one line of the page. */
export const LONGEST_TEXT = 500
/** Characters of a name: of a dapp, a contract, a method, a client. */
export const LONGEST_NAME = 100
/** The same where the text is what a person came to read: a message to sign, a string of a contract. */
export const LONGEST_BLOCK = 20_000

/** Text that somebody else wrote, as it is: what would hide or turn other characters is spelt out. */
export function spellOut(text: string): string {
  return spell(text, UNSEEN)
}

/** The first `length` characters, and a sign that there are more; a pair of surrogates is not torn apart. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * Text from a contract, a dapp, a remote chain, a file or a link, as the page may show it: nothing in it hides, turns or
 * pushes away what stands beside it.
 *
 * @param length - Characters of it that are shown.
 */
export function othersText(text: string, length = LONGEST_TEXT): string {
  return spellOut(cutText(text, length))
}

/** The same for a text of several lines: line breaks and tabs stay. */
export function othersLines(text: string, length = LONGEST_BLOCK): string {
  return spell(cutText(text, length).replaceAll('\r\n', '\n'), UNSEEN_IN_LINES)
}

function spell(text: string, unseen: RegExp): string {
  const kept = new Set(Array.from(text.matchAll(EMOJI_PARTS), ({ index }) => index))
  return text.replace(unseen, (character: string, at: number) =>
    kept.has(at) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}
