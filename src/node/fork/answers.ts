import { type Hex, hexToBytes } from '#primitives/hex.ts'
import { isObject, type JsonObject, parsedJson } from '#primitives/json-object.ts'

/** An answer of the endpoint is not what the method should answer. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
}

export function membersOf(value: unknown, what: string): JsonObject {
  if (isObject(value)) return value
  throw new AnswerError(`${what} is no object`)
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new AnswerError(`${what} is no list`)
}

/** What was kept as JSON; `undefined` if it was not, or is damaged: then it is asked for again. */
export function parsedAnswer(json: string | undefined): unknown {
  return json === undefined ? undefined : parsedJson(json)
}

/** Bytes in hex. @param length - How many, if that is fixed. */
export function bytesOf(value: unknown, what: string, length?: number): Uint8Array {
  if (typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value)) {
    const bytes = hexToBytes(value)
    if (length === undefined || bytes.length === length) return bytes
  }
  throw new AnswerError(`${what} is not ${length === undefined ? 'bytes' : `${length} bytes`} in hex`)
}

/** Nodes on a path of 64 nibbles. */
const MAX_NODES = 65

/** The nodes of a proof, from the root on; none for an empty trie. */
export function proofNodesOf(value: unknown, what: string): readonly Uint8Array[] {
  const list = listOf(value, what)
  if (list.length > MAX_NODES) throw new AnswerError(`${what} has more than ${MAX_NODES} nodes`)
  const nodes = list.map((node) => bytesOf(node, `a node of ${what}`))
  // An empty trie may be proven by the RLP of nothing.
  return nodes.length === 1 && nodes[0]?.length === 1 && nodes[0][0] === 0x80 ? [] : nodes
}

/** Like {@link bytesOf}, as lower-case text. */
export function hexOf(value: unknown, what: string, length: number): Hex {
  bytesOf(value, what, length)
  return (value as string).toLowerCase() as Hex
}

export function quantityOf(value: unknown, what: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw new AnswerError(`${what} is no quantity`)
}

/** A quantity that JavaScript has as a number. */
export function numberOf(value: unknown, what: string): number {
  const number = quantityOf(value, what)
  if (number <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(number)
  throw new AnswerError(`${what} is too large`)
}
