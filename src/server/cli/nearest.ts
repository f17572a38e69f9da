/** Most letters that are wrong, missing, too many or swapped in a word that was meant. */
const MOST_WRONG = 2

/** The one of these words that somebody who wrote `word` may have meant: at most two letters are wrong in it. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  // In a short word two letters are most of it.
  let best = Math.min(MOST_WRONG, Math.floor(word.length / 3)) + 1
  let found: string | undefined
  for (const each of words) {
    const wrong = Math.abs(each.length - word.length) < best ? wrongLetters(word, each) : best
    if (wrong >= best) continue
    best = wrong
    found = each
  }
  return found
}

/** Letters to change, add, leave out or swap with the next until one word is the other. */
function wrongLetters(one: string, other: string): number {
  const { length } = other
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: length + 1 }, (_, column) => column)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= length; j++) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : changed
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[length] ?? 0
}
