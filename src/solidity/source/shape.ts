import type { SourceRange } from './outline.ts'

/** Comments, strings, words with their members, numbers. */
const TOKENS = /\/\/[^\n\r]*|\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_$][\w$]*|\d[\w.]*|\s+/g

/** Words that stand for what the code does, not for a name. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['if', 'else', 'for', 'while', 'do', 'return', 'break', 'continue', 'try', 'catch', 'unchecked', 'assembly'],
  ...['require', 'revert', 'assert', 'new', 'delete', 'emit', 'true', 'false', 'super', 'pop', 'push', 'length'],
])

/**
 * Code as text in which every name and number is the same. Functions and failure points of different shape do not compile to
 * the same code; those of the same shape may.
 */
export function shapeOfText(text: string): string {
  return text.replaceAll(TOKENS, (token) => {
    if (/^(?:\s|\/[/*])/.test(token)) return ''
    if (/^["']/.test(token) || KEYWORDS.has(token)) return ` ${token} `
    return 'a'
  })
}

/** Start and end of each word, number and sign, without what has no shape. */
function tokensIn(text: string): readonly SourceRange[] {
  const found: SourceRange[] = []
  const tokens = /\/\/[^\n\r]*|\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_$][\w$]*|\d[\w.]*|\S/g
  for (const match of text.matchAll(tokens)) {
    const [token] = match
    if (!/^\/[/*]/.test(token)) found.push({ start: match.index, end: match.index + token.length })
  }
  return found
}

/**
 * The range in one text that corresponds to a range in another of the same shape, which has the same words and signs but for
 * names and numbers.
 *
 * @returns `undefined` if their shapes differ, or if a character takes several bytes.
 */
export function rangeInSameShape(range: SourceRange, from: string, to: string): SourceRange | undefined {
  if (shapeOfText(from) !== shapeOfText(to) || /[^\0-\x7f]/.test(from + to)) return undefined
  const [all, others] = [tokensIn(from), tokensIn(to)]
  const first = all.findIndex(({ start }) => start === range.start)
  const last = all.findIndex(({ end }) => end === range.end)
  const [start, end] = [others[first], others[last]]
  return all.length === others.length && start && end ? { start: start.start, end: end.end } : undefined
}
