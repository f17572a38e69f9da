/** A value that stands as a literal in a script; what a script computes is `undefined`. */
export type Literal = string | number | boolean | undefined | readonly Literal[] | { readonly [key: string]: Literal }

/** Characters that are read; a configuration has a few thousand. */
const MAX_CHARACTERS = 500_000
/** Deepest object within objects. */
const MAX_DEPTH = 20

/** Comments, texts, words with numbers, and signs, in JavaScript and TypeScript. */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?|[\w$]+|[^\s]/g

/**
 * The value of a key in the configuration that a script writes as an object, such as `solidity` in
 * `export default { solidity: '0.8.28' }`. The script is not run: what is not a literal is `undefined`.
 *
 * @returns The first object or text that has this key and can be read; `undefined` if there is none.
 */
export function literalOf(script: string, key: string): Literal {
  const tokens = [...script.slice(0, MAX_CHARACTERS).matchAll(TOKENS)]
    .map(([token]) => token)
    .filter((token) => !/^\/[/*]/.test(token))
  for (let i = 0; i < tokens.length - 2; i++) {
    if (nameOf(tokens[i]) !== key || tokens[i + 1] !== ':') continue
    // A key stands behind a brace or a comma; elsewhere it is a type, or part of a condition.
    if (tokens[i - 1] !== '{' && tokens[i - 1] !== ',') continue
    const value = new Reader(tokens, i + 2).value(0)
    if (value !== undefined) return value
  }
  return undefined
}

/** Reads one value. */
class Reader {
  readonly #tokens: readonly string[]
  #at: number

  constructor(tokens: readonly string[], at: number) {
    this.#tokens = tokens
    this.#at = at
  }

  value(depth: number): Literal {
    const token = this.#tokens[this.#at]
    if (depth > MAX_DEPTH || token === undefined) return undefined
    if (token === '{') return this.#object(depth)
    if (token === '[') return this.#list(depth)
    this.#at++
    const isWhole = [',', '}', ']', undefined].includes(this.#tokens[this.#at])
    return isWhole ? plainValue(token) : undefined
  }

  #object(depth: number): Literal {
    const found = new Map<string, Literal>()
    this.#at++
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== '}') {
      const name = nameOf(this.#tokens[this.#at])
      if (name !== undefined && this.#tokens[this.#at + 1] === ':') {
        this.#at += 2
        found.set(name, this.value(depth + 1))
      }
      this.#skip()
    }
    this.#at++
    return Object.fromEntries(found)
  }

  #list(depth: number): Literal {
    const items: Literal[] = []
    this.#at++
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== ']') {
      items.push(this.value(depth + 1))
      this.#skip()
    }
    this.#at++
    return items
  }

  /** Goes on behind the next comma, or to the end of the object or list. */
  #skip(): void {
    let open = 0
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at] ?? ''
      if ('{[('.includes(token)) open++
      else if ('}])'.includes(token)) {
        if (open === 0) return
        open--
      } else if (token === ',' && open === 0) {
        this.#at++
        return
      }
    }
  }
}

/** A key, quoted or not. */
function nameOf(token: string | undefined): string | undefined {
  if (token === undefined) return undefined
  if (/^["']/.test(token)) return token.slice(1, -1)
  return /^[\w$]+$/.test(token) ? token : undefined
}

function plainValue(token: string): Literal {
  if (/^["']/.test(token)) return token.slice(1, -1)
  if (token.startsWith('`')) return token.includes('${') ? undefined : token.slice(1, -1)
  if (token === 'true') return true
  if (token === 'false') return false
  return /^\d[\d_]*$/.test(token) ? Number(token.replaceAll('_', '')) : undefined
}
