import type { Callable, CallableKind, ContractOutline, Invocation, SourceOutline, SourceRange } from './outline.ts'

/** Words, braces, and the beginnings of comments and strings; everything else is skipped. */
const TOKENS = /\/\/|\/\*|["']|[A-Za-z_$][\w$]*|[{};()]/g

const CONTRACTS: ReadonlySet<string> = new Set(['contract', 'interface', 'library'])
const NAMELESS: ReadonlySet<string> = new Set(['constructor', 'fallback', 'receive'])

interface Token {
  readonly text: string
  /** In UTF-16 units. */
  readonly start: number
}

/** Words in a function's head that are not modifiers. */
const HEAD_WORDS: ReadonlySet<string> = new Set([
  'external',
  'public',
  'internal',
  'private',
  'pure',
  'view',
  'constant',
  'payable',
  'virtual',
  'override',
  'returns',
])

type Open = { -readonly [Key in keyof Callable]: Callable[Key] } & { invocations: Invocation[] }

/** The words and braces outside comments and strings. A generator, as a source may have millions. */
function* tokensOf(text: string): Generator<Token> {
  const pattern = new RegExp(TOKENS)
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [token] = match
    if (token === '//') pattern.lastIndex = endOfLine(text, match.index)
    else if (token === '/*') {
      const end = text.indexOf('*/', match.index + 2)
      if (end < 0) return
      pattern.lastIndex = end + 2
    } else if (token === '"' || token === "'") pattern.lastIndex = endOfText(text, match.index + 1, token)
    else yield { text: token, start: match.index }
  }
}

function isBreak(unit: string | undefined): boolean {
  return unit === '\n' || unit === '\r'
}

function endOfLine(text: string, from: number): number {
  let at = from
  while (at < text.length && !isBreak(text[at])) at++
  return at
}

/** After the closing quote or, if there is none, at the end of the line. */
function endOfText(text: string, from: number, quote: string): number {
  let at = from
  while (at < text.length && !isBreak(text[at])) {
    if (text[at] === quote) return at + 1
    at += text[at] === '\\' ? 2 : 1
  }
  return at
}

/**
 * Finds contracts and functions by their keywords and braces, for sources without an AST: Foundry leaves it out by default.
 * There are no statements.
 */
export function outlineOfText(text: string): SourceOutline {
  const bytesAt = byteOffsets(text)
  const contracts: ContractOutline[] = []
  const callables: Callable[] = []
  /** What each open brace is the body of. */
  const open: ({ contract: ContractOutline & { end: number } } | { callable: Open; from: number } | undefined)[] = []
  let next: (typeof open)[number]
  let round = 0
  const read = ({ text: token, start }: Token, index: number, following: string) => {
    const at = bytesAt(start)
    if (token === '(') round++
    else if (token === ')') round = Math.max(0, round - 1)
    else if (token === '{') {
      if (round === 0 && next && 'callable' in next) next.callable.body = { start: at, end: at }
      open.push(round === 0 ? next : undefined)
      if (round === 0) next = undefined
    } else if (token === '}') {
      const closed = open.pop()
      if (closed && 'contract' in closed) closed.contract.end = at + 1
      if (closed && 'callable' in closed) close(closed.callable, at + 1)
    } else if (token === ';') {
      if (round === 0 && next && 'callable' in next) close(next.callable, at + 1)
      if (round === 0) next = undefined
    } else if (round === 0 && next && 'callable' in next && index > next.from && !HEAD_WORDS.has(token)) {
      const end = at + token.length
      next.callable.invocations.push({ name: token, target: undefined, start: at, end })
    } else if (CONTRACTS.has(token) && open.length === 0 && /^[\w$]+$/.test(following)) {
      const kind = token as ContractOutline['kind']
      const contract = { name: following, kind, id: undefined, bases: [], start: at, end: at }
      contracts.push(contract)
      next = { contract }
    } else if (round === 0 && !next && mayDefine(open)) {
      const kind = kindOf(token, following)
      if (!kind) return
      const top = open.at(-1)
      const callable: Open = {
        kind,
        name: kind === 'function' || kind === 'modifier' ? following : '',
        contract: top && 'contract' in top ? top.contract : undefined,
        body: undefined,
        invocations: [],
        id: undefined,
        selector: undefined,
        overrides: [],
        start: at,
        end: at,
      }
      callables.push(callable)
      // After its name, if it has one.
      next = { callable, from: callable.name === '' ? index : index + 1 }
    }
  }
  let index = 0
  let last: Token | undefined
  for (const token of tokensOf(text)) {
    if (last) read(last, index++, token.text)
    last = token
  }
  if (last) read(last, index, '')
  return { contracts, callables, variables: [], statements: [], calls: [], taken: [], isComplete: false }
}

/** Whether a function may be defined here: in a contract, or at the top level. */
function mayDefine(open: readonly unknown[]): boolean {
  const top = open.at(-1)
  return open.length === 0 || (typeof top === 'object' && top !== null && 'contract' in top)
}

function kindOf(token: string, following: string): CallableKind | undefined {
  if (NAMELESS.has(token) && following === '(') return token as CallableKind
  if (token === 'modifier' && /^[\w$]+$/.test(following)) return 'modifier'
  if (token !== 'function') return undefined
  // Before Solidity 0.6 the fallback function had no name.
  return following === '(' ? 'fallback' : 'function'
}

function close(callable: Open, end: number): void {
  callable.end = end
  if (callable.body) callable.body = { start: callable.body.start, end } satisfies SourceRange
}

/** From UTF-16 offsets, which must not decrease, to bytes of UTF-8. */
function byteOffsets(text: string): (offset: number) => number {
  let at = 0
  let bytes = 0
  return (offset) => {
    for (; at < offset; at++) {
      const unit = text.charCodeAt(at)
      // Halves of a surrogate pair each count for two of its four bytes.
      bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
    }
    return bytes
  }
}
