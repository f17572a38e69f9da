import type { AnswerShape } from '#rpc-types/method.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { Fork } from './fork.ts'
import { ForkError } from './fork-error.ts'

/** How endpoints say that they do not have a method. */
const NO_METHOD =
  /method.*(?:not (?:found|supported|available|allowed)|does not exist|unknown)|(?:unknown|unsupported) method/i

/**
 * Asks the endpoint. An answer that cannot change is kept, so it is asked for only once. An answer of the shape that the
 * method has is passed on as it is.
 *
 * @param keep - Whether it is kept: by the numbers of blocks in it, or always, as of a call on a state before the fork, or
 *   never.
 * @throws {ForkError}
 */
export async function askFor(
  { answers, header, remote }: Fork,
  method: MethodName,
  params: readonly unknown[],
  shape: AnswerShape,
  keep: 'by-number' | 'always' | 'never' = 'by-number',
): Promise<unknown> {
  const forkedAt = header.header.number
  const mayChange = (answer: unknown) => keep !== 'always' && !isBefore(answer, forkedAt)
  const kept = answers.find(method, params)
  if (kept !== undefined && isOf(shape, kept) && !mayChange(kept)) return kept
  const answer = await remote.ask(method, params)
  if (answer !== null && !isOf(shape, answer)) {
    throw new ForkError(`${remote.name} answers ${method} with what is no ${WORDS[shape]}`)
  }
  if (keep !== 'never' && !mayChange(answer)) answers.put(method, params, answer)
  return answer
}

const WORDS: Readonly<Record<AnswerShape, string>> = {
  any: 'answer',
  boolean: 'boolean',
  bytes: 'hex',
  list: 'list',
  numbered: 'object',
  object: 'object',
  text: 'hex',
}

function isOf(shape: AnswerShape, answer: unknown): boolean {
  switch (shape) {
    case 'any':
      return answer !== undefined
    case 'boolean':
      return typeof answer === 'boolean'
    case 'bytes':
    case 'text':
      return typeof answer === 'string' && answer.startsWith('0x')
    case 'list':
      return Array.isArray(answer) && answer.every((each) => each !== null && each !== undefined)
    case 'numbered':
    case 'object':
      return typeof answer === 'object' && !Array.isArray(answer)
    default:
      return shape satisfies never
  }
}

/** Whether an error of the endpoint says that it does not have the method. */
export function lacksMethod(error: unknown): boolean {
  const { answered } = error instanceof ForkError ? error : {}
  return answered !== undefined && (answered.code === -32601 || NO_METHOD.test(answered.message))
}

/**
 * The number of the block that an answer is, or is of; `undefined` if it is of none: nothing was found, or a transaction
 * that waits.
 *
 * @throws {ForkError} If it is no number of a block.
 */
export function numberIn({ remote }: Pick<Fork, 'remote'>, method: MethodName, answer: unknown): number | undefined {
  const said = saidNumber(answer)
  if (said === null || said === undefined) return undefined
  const number = typeof said === 'string' && /^0x[0-9a-f]{1,13}$/i.test(said) ? Number(said) : undefined
  if (number === undefined) throw new ForkError(`${remote.name} answers ${method} with what has no number of a block`)
  return number
}

/** @throws {ForkError} If an answer about blocks up to the fork's is, or has, something of a later one. */
export function requireNotLater({ header, remote }: Fork, method: MethodName, answer: unknown): void {
  const forkedAt = header.header.number
  const isLater = itemsOf(answer).some(
    (item) => saidNumber(item) !== undefined && !isAtMost(saidNumber(item), forkedAt),
  )
  if (isLater) throw new ForkError(`${remote.name} answers ${method} with what is not up to block ${forkedAt}`)
}

/** Whether an answer cannot change: nothing in it is of a block after the fork's, or of no block yet. */
function isBefore(answer: unknown, forkedAt: number): boolean {
  return itemsOf(answer).every((item) => {
    const said = saidNumber(item)
    return said === undefined || isAtMost(said, forkedAt)
  })
}

/** A number may be text or, as in traces, a JSON number. */
function isAtMost(said: unknown, forkedAt: number): boolean {
  const isNumber = typeof said === 'number' || (typeof said === 'string' && /^0x[0-9a-f]{1,13}$/i.test(said))
  return isNumber && Number(said) <= forkedAt
}

function itemsOf(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [answer]
}

/** What an object says of its block: the number, `null` for a transaction that waits, `undefined` if it says nothing. */
function saidNumber(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return undefined
  const { number, blockNumber = number, block, fullblock = block } = item as Readonly<Record<string, unknown>>
  return blockNumber ?? (fullblock === undefined ? blockNumber : saidNumber(fullblock))
}
