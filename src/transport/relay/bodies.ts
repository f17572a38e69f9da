import type { JsonRpcId } from '#rpc-types/envelope.ts'

/** The calls of a body, as far as it can be read. */
export interface BodyCall {
  readonly method: string
  /** `undefined` on a notification, `null` where it is none. */
  readonly id: JsonRpcId | undefined
  readonly params: unknown
}

/** The calls of a body, one of them or a batch; what is no call is left out, as the node refuses it whatever it is. */
export function callsOf(body: string): readonly BodyCall[] {
  const parsed = parse(body)
  const members: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  return members.filter(isCall).map(({ method, id, params }) => ({ method, id: readableId(id), params }))
}

/** The body's JSON with each of its members replaced; for bodies that are JSON. */
export function mapMembers(body: string, map: (member: unknown, index: number) => unknown): string {
  const parsed: unknown = JSON.parse(body)
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(map) : map(parsed, 0))
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // The node says what is wrong with it, each time it is asked.
    return undefined
  }
}

function isCall(member: unknown): member is { method: string; id?: unknown; params?: unknown } {
  return typeof member === 'object' && member !== null && 'method' in member && typeof member.method === 'string'
}

/** As the node reads it. */
function readableId(id: unknown): JsonRpcId | undefined {
  return id === undefined || typeof id === 'string' || typeof id === 'number' ? id : null
}
