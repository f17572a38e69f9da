import type { FailurePoint } from './failure-points.ts'
import type { SourceCall, SourceRange } from './outline.ts'

/** A failure point that was found by its text; the line where its expression begins may be another. */
export type TextPoint = FailurePoint & { readonly isVague: boolean }

/** What the text of functions shows where there is no AST: too much rather than too little. */
export interface TextFindings {
  readonly points: readonly TextPoint[]
  readonly calls: readonly SourceCall[]
}

/** What the names in the sources stand for. */
export interface KnownNames {
  readonly isFunction: (name: string) => boolean
  /** Whether only functions that run in a frame of their own have this name. */
  readonly isExternal: (name: string) => boolean
  readonly isEnum: (name: string) => boolean
}

/** A text in which each character stands for one byte of its UTF-8, with and without what is in comments and strings. */
interface Bytes {
  readonly whole: string
  readonly code: string
}

const UNREAD = /\/\/[^\n\r]*|\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n\r]|\\.)*"?|'(?:[^'\\\n\r]|\\.)*'?/g
const MARKS = /[A-Za-z_$][\w$]*|[-+*/%[]/g
/** Words before a `(` that call nothing. */
const NO_CALLS: ReadonlySet<string> = new Set([
  ...['if', 'for', 'while', 'do', 'else', 'return', 'returns', 'catch', 'try', 'function', 'modifier', 'constructor'],
  ...['emit', 'unchecked', 'mapping', 'type', 'override', 'fallback', 'receive'],
])
/** Before the name of what is declared, not called. */
const DECLARES = /\b(?:function|modifier|error|event|struct|enum|contract|library|interface)\s+$/
/** Conversions to these types cannot fail. */
const TYPES = /^(?:u?int\d*|bytes\d*|address|bool|string|payable|keccak256)$/
/** Most characters of one statement. */
const STATEMENT_LIMIT = 10_000

function bytesOf(text: string): Bytes {
  const whole = text.replaceAll(/[^\0-\x7f]/gu, (letter) => {
    const point = letter.codePointAt(0) ?? 0
    return '?'.repeat(point < 0x800 ? 2 : point < 0x10000 ? 3 : 4)
  })
  const code = whole.replaceAll(UNREAD, (unread) =>
    /^["']/.test(unread)
      ? `${unread[0]}${'_'.repeat(Math.max(0, unread.length - 2))}${unread.length > 1 ? unread[0] : ''}`
      : unread.replaceAll(/[^\n\r]/g, ' '),
  )
  return { whole, code }
}

/**
 * Finds failure points and calls in a source without an AST. Types are not known, so each sign counts as one that can fail.
 *
 */
export function findInText(text: string, names: KnownNames): TextFindings {
  const { isFunction } = names
  const bytes = bytesOf(text)
  const { code } = bytes
  const arrays = arraysIn(code)
  const unchecked = uncheckedIn(code)
  const isSure = (sign: string, start: number) => {
    if (sign === '[') return arrays.has(/([\w$]+)\s*$/.exec(code.slice(Math.max(0, start - 100), start))?.[1] ?? '')
    if (sign === '/' || sign === '%') return true
    const isConstant =
      /\d\s*$/.test(code.slice(Math.max(0, start - 10), start)) && /^\S+\s*\d/.test(code.slice(start, start + 10))
    return !isConstant && !unchecked.some((range) => range.start <= start && range.end > start)
  }
  const points: TextPoint[] = []
  const calls: SourceCall[] = []
  const marks = new RegExp(MARKS)
  for (let match = marks.exec(code); match; match = marks.exec(code)) {
    const [mark] = match
    const start = match.index
    if (/^\w/.test(mark) && DECLARES.test(code.slice(Math.max(0, start - 100), start))) continue
    const add = (point: FailurePoint, isCertain = true) =>
      points.push({ ...point, isVague: !isCertain || isWithinLines(code, point) })
    const range = { start, end: start + mark.length }
    if (mark === 'assembly') {
      const end = endOfBlock(code, code.indexOf('{', start), '{', '}')
      if (/\b(?:revert|invalid|call|callcode|delegatecall|staticcall|create2?)\b/.test(code.slice(start, end)))
        points.push({ kind: 'assembly', start, end, isVague: false })
      marks.lastIndex = end
    } else if (mark === '[') {
      if (/^\[\s*\]/.test(code.slice(start, start + 100))) continue
      add({ kind: 'panic', code: 0x32, ...range }, isSure(mark, start))
      add({ kind: 'bare', ...range }, false)
    } else if (/^[-+*/%]$/.test(mark)) {
      // Only a signed division can overflow.
      if (mark !== '%') add({ kind: 'panic', code: 0x11, ...range }, mark !== '/' && isSure(mark, start))
      if (mark === '/' || mark === '%') add({ kind: 'panic', code: 0x12, ...range })
    } else {
      for (const point of pointsOfWord(bytes, mark, range, names)) {
        points.push({ ...point, isVague: point.kind === 'call' && !names.isExternal(mark) })
      }
      if (isFunction(mark)) calls.push(callAt(code, mark, start))
    }
  }
  return { points, calls }
}

function pointsOfWord(bytes: Bytes, word: string, { start, end }: SourceRange, { isEnum }: KnownNames): FailurePoint[] {
  const { code } = bytes
  const open = /^\s*(?:\{[^{}]*\}\s*)?\(/.exec(code.slice(end, end + 500))
  if (word === 'revert' && !open) {
    const named = /^\s+((?:[\w$]+\s*\.\s*)*)([\w$]+)\s*\(/.exec(code.slice(end, end + 500))
    if (!named) return []
    const close = endOfBlock(code, end + named[0].length - 1, '(', ')')
    return [{ kind: 'custom', error: named[2] ?? '', start, end: close }]
  }
  if (!open || NO_CALLS.has(word) || TYPES.test(word)) return []
  if (/\brevert\s+(?:[\w$]+\s*\.\s*)*$/.test(code.slice(Math.max(0, start - 100), start))) return []
  const from = end + open[0].length - 1
  const close = endOfBlock(code, from, '(', ')')
  const range = { start, end: close }
  switch (word) {
    case 'assert':
      return [{ kind: 'panic', code: 1, ...range }]
    case 'revert':
      return [reasonAt(bytes, from + 1, close - 1, range)]
    case 'require': {
      const comma = commaIn(code, from + 1, close - 1)
      return [comma === undefined ? { kind: 'bare', ...range } : reasonAt(bytes, comma + 1, close - 1, range)]
    }
    case 'addmod':
    case 'mulmod':
      return [{ kind: 'panic', code: 0x12, ...range }]
    default: {
      const isMember = /\.\s*$/.test(code.slice(Math.max(0, start - 100), start))
      const place = { start: isMember ? startOfChain(code, start) : start, end: close }
      return [
        { kind: 'call', ...place },
        ...(isEnum(word) ? [{ kind: 'panic' as const, code: 0x21, ...place }] : []),
        ...(word === 'pop' ? [{ kind: 'panic' as const, code: 0x31, ...place }] : []),
      ]
    }
  }
}

/** Names of variables that are arrays, and of nothing else. */
function arraysIn(code: string): ReadonlySet<string> {
  const words = String.raw`(?:(?:internal|public|private|memory|storage|calldata|immutable|constant|transient)\s+)*`
  const namesAfter = (type: string) =>
    [...code.matchAll(new RegExp(String.raw`${type}\s*${words}([\w$]+)\s*[=;,)]`, 'g'))].map(([, name = '']) => name)
  const others = new Set(namesAfter(String.raw`\)`))
  return new Set(namesAfter(String.raw`\]`).filter((name) => !others.has(name)))
}

function uncheckedIn(code: string): SourceRange[] {
  return [...code.matchAll(/\bunchecked\s*\{/g)].map((match) => ({
    start: match.index,
    end: endOfBlock(code, match.index + match[0].length - 1, '{', '}'),
  }))
}

/** The reason that stands in a range: a literal, an error, or something computed. */
function reasonAt({ whole, code }: Bytes, from: number, to: number, range: SourceRange): FailurePoint {
  const text = code.slice(from, to).trim()
  if (text === '') return { kind: 'bare', ...range }
  const error = /^(?:[\w$]+\s*\.\s*)*([\w$]+)\s*\(/.exec(text)?.[1]
  if (error !== undefined && endOfBlock(text, text.indexOf('('), '(', ')') === text.length) {
    return /^[A-Z]/.test(error) ? { kind: 'custom', error, ...range } : { kind: 'reason', text: undefined, ...range }
  }
  const literal = /^"([^"\\?]*)"$|^'([^'\\?]*)'$/.exec(whole.slice(from, to).trim())
  return { kind: 'reason', text: literal?.[1] ?? literal?.[2], ...range }
}

function callAt(code: string, name: string, start: number): SourceCall {
  const open = /^\s*(?:\{[^{}]*\}\s*)?\(/.exec(code.slice(start + name.length, start + name.length + 500))
  const from = startOfChain(code, start)
  const end = open ? endOfBlock(code, start + name.length + open[0].length - 1, '(', ')') : start + name.length
  // After a call or an index there is a chain, too, but not of names.
  const isMember = /\.\s*$/.test(code.slice(Math.max(0, start - 100), start))
  const qualifier = /([\w$]+)\s*\.\s*$/.exec(code.slice(from, start))?.[1] ?? (isMember ? '' : undefined)
  const dispatch = qualifier === 'super' ? 'super' : isMember ? 'exact' : 'virtual'
  const found = { name, kind: 'call', target: undefined, isPointer: false, isExternal: false, dispatch } as const
  return { ...found, start: from, end, ...(qualifier === undefined ? {} : { qualifier }) }
}

/** Start of `a.b.` before a member. */
function startOfChain(code: string, start: number): number {
  const before = code.slice(Math.max(0, start - 500), start)
  return start - (/(?:[\w$]+\s*\.\s*)*$/.exec(before)?.[0].length ?? 0)
}

/** After the bracket that closes the one at `from`. */
function endOfBlock(code: string, from: number, open: string, close: string): number {
  if (from < 0) return code.length
  let depth = 0
  for (let at = from; at < code.length; at++) {
    if (code[at] === open) depth++
    else if (code[at] === close && --depth === 0) return at + 1
  }
  return code.length
}

/** The first comma that stands in no brackets. */
function commaIn(code: string, from: number, to: number): number | undefined {
  let depth = 0
  for (let at = from; at < to; at++) {
    const unit = code[at] ?? ''
    if ('([{'.includes(unit)) depth++
    else if (')]}'.includes(unit)) depth--
    else if (unit === ',' && depth === 0) return at
  }
  return undefined
}

/** Whether the statement around a range has several lines, so that its expression may begin on another line. */
function isWithinLines(code: string, { start }: SourceRange): boolean {
  const before = code.slice(Math.max(0, start - STATEMENT_LIMIT), start)
  const after = code.slice(start, start + STATEMENT_LIMIT)
  const head = before.slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('{'), before.lastIndexOf('}')) + 1)
  const tail = /^[^;{}]*/.exec(after)?.[0] ?? ''
  return /[\n\r]/.test((head + tail).trim())
}
