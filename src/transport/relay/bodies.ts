import { parsedJson } from '#primitives/json-object.ts'
import type { JsonRpcId } from '#rpc-types/envelope.ts'

/** A call in a body, as far as it is readable. */
export interface BodyCall {
  readonly method: string
  /** `undefined` for a notification, `null` if there is no valid id. */
  readonly id: JsonRpcId | undefined
  readonly params: unknown
}

/** The calls of a body, single or a batch. Leaves out anything that is not a call, since every node refuses it. */
export function callsOf(body: string): readonly BodyCall[] {
  const parsed = parsedJson(body)
  const members: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  return members.filter(isCall).map(({ method, id, params }) => ({ method, id: readableId(id), params }))
}

/** A copy of the JSON body with each member mapped. */
export function mapMembers(body: string, map: (member: unknown, index: number) => unknown): string {
  const parsed: unknown = JSON.parse(body)
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(map) : map(parsed, 0))
}

function isCall(member: unknown): member is { method: string; id?: unknown; params?: unknown } {
  return typeof member === 'object' && member !== null && 'method' in member && typeof member.method === 'string'
}

/** The id as the node reads it. */
function readableId(id: unknown): JsonRpcId | undefined {
  return id === undefined || typeof id === 'string' || typeof id === 'number' ? id : null
}
