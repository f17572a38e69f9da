/** A stretch of a line, in one colour. */
export interface Token {
  readonly text: string
  readonly kind: 'plain' | 'keyword' | 'name' | 'literal' | 'string' | 'comment'
}

const KEYWORDS = new Set(
  (
    'abstract as assembly assert break calldata case catch constant constructor continue contract default delete do else ' +
    'emit enum error event external fallback false final for from function if immutable import in indexed interface ' +
    'internal is leave let library mapping memory modifier new override payable pragma private public pure receive require ' +
    'return returns revert solidity storage struct super switch this throw transient true try type unchecked using view ' +
    'virtual while'
  ).split(' '),
)
/** Elementary types, with their sizes. */
const TYPE = /^(?:u?int\d*|bytes\d*|u?fixed(?:\d+x\d+)?|address|bool|string|var|byte)$/
const PARTS =
  /\/\/.*|\/\*.*?(?:\*\/|$)|(?:hex|unicode)?"(?:[^"\\]|\\.)*"?|(?:hex|unicode)?'(?:[^'\\]|\\.)*'?|[A-Za-z_$][\w$]*|\d[\w.]*|\s+|./gu

/** Longest line that is coloured, in characters: longer ones were written by a machine. */
const LONGEST = 2_000

/** The lines of a source, counted as the compiler's places are: they end with `\n`, `\r\n` or `\r`. */
export function splitLines(content: string): readonly string[] {
  return content.split(/\r\n?|\n/)
}

/** The lines of a Solidity source in colours. It knows words, not grammar: enough to read by, at next to no weight. */
export function highlightLines(lines: readonly string[]): readonly (readonly Token[])[] {
  let inComment = false
  return lines.map((line) => {
    const tokens: Token[] = []
    let rest = line
    if (inComment) {
      const end = rest.indexOf('*/')
      if (end < 0) return [{ text: line, kind: 'comment' as const }]
      tokens.push({ text: rest.slice(0, end + 2), kind: 'comment' })
      rest = rest.slice(end + 2)
      inComment = false
    }
    if (rest.length > LONGEST) return [...tokens, { text: rest, kind: 'plain' as const }]
    let before = ''
    for (const [text] of rest.matchAll(PARTS)) {
      const kind = kindOf(text, before)
      tokens.push({ text, kind })
      if (text.startsWith('/*') && !(text.length > 3 && text.endsWith('*/'))) inComment = true
      if (text.trim() !== '') before = text
    }
    return tokens
  })
}

/** Words after which a name is declared. */
const DECLARING = new Set([
  'function',
  'contract',
  'interface',
  'library',
  'modifier',
  'event',
  'error',
  'struct',
  'enum',
])

function kindOf(text: string, before: string): Token['kind'] {
  if (text.startsWith('//') || text.startsWith('/*')) return 'comment'
  if (/^(?:hex|unicode)?["']/.test(text)) return 'string'
  if (/^\d/.test(text)) return 'literal'
  if (!/^[A-Za-z_$]/.test(text)) return 'plain'
  if (DECLARING.has(before)) return 'name'
  return KEYWORDS.has(text) || TYPE.test(text) ? 'keyword' : 'plain'
}
