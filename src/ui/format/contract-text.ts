/** Characters that cannot be seen, or that turn the order of those around them. */
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** Text that a contract or its caller wrote, as it is: what would hide or turn other characters is spelt out. */
export function spellOut(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** The first `length` characters, and a sign that there are more; a pair of surrogates is not torn apart. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
}
