/** Most characters of somebody's text in a sentence. */
const MOST = 80

/** A text short enough for a sentence: the beginning of a longer one. */
export function shorten(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text
}
