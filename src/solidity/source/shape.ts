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
