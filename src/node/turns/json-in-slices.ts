import type { ExecutionGuard } from './guard.ts'
import { textsOf } from './json-texts.ts'

/** How many levels of lists and objects are written piece by piece: a block's traces, one trace, its steps. */
const LEVELS = 4
/** Items of a long list that are written without a pause. */
const TOGETHER = 64
/** Characters of a long text that are written without a pause. */
const CHARACTERS = 65_536

/** `JSON.stringify` for large values: pauses whenever `guard` says so. */
export async function jsonInSlices(value: unknown, guard: ExecutionGuard): Promise<string> {
  let text = ''
  for (const piece of piecesOf(value, LEVELS)) {
    text += piece
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return text
}

function* piecesOf(value: unknown, levels: number): Generator<string> {
  const texts = Array.isArray(value) ? textsOf(value) : undefined
  if (texts) {
    yield '['
    for (const [i, text] of texts.entries()) yield i > 0 ? `,${text}` : text
    yield ']'
  } else if (typeof value === 'string' && value.length > CHARACTERS) {
    yield '"'
    // Half of a pair of code units is escaped, and is one half again when it is read.
    for (let at = 0; at < value.length; at += CHARACTERS) {
      yield JSON.stringify(value.slice(at, at + CHARACTERS)).slice(1, -1)
    }
    yield '"'
  } else if (levels === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    yield* piecesOfList(value as readonly unknown[], levels)
  } else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      // JSON.stringify leaves it out, too.
      if (member === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* piecesOf(member, levels - 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

function* piecesOfList(list: readonly unknown[], levels: number): Generator<string> {
  // Steps of a trace are many and small, transactions few and large.
  const size = list.length > TOGETHER * TOGETHER ? TOGETHER : 1
  yield '['
  for (let at = 0; at < list.length; at += size) {
    if (at > 0) yield ','
    if (size === 1) yield* piecesOf(list[at], levels - 1)
    else yield JSON.stringify(list.slice(at, at + size)).slice(1, -1)
  }
  yield ']'
}
