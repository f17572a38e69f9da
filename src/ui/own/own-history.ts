import type { Hash } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { progressByAnswers, progressOf } from './progress.ts'

/** How many events are stored for one transaction: repeated withdrawals can cause many, and all share 5 MB. */
export const MAX_EVENTS = 20

let histories = new Map<Hash, readonly TimelineEvent[]>()
let recalled: Promise<unknown> = Promise.resolve()

/** History of an own transaction from before the node's last start, once it has been read from storage. */
export async function earlierHistory(hash: Hash): Promise<readonly TimelineEvent[] | undefined> {
  await recalled
  return histories.get(hash)
}

/** The history so far, for storage. */
export function historyOf(hash: Hash): readonly TimelineEvent[] {
  return histories.get(hash) ?? []
}

/** Makes {@link earlierHistory} wait until `reading` has ended. */
export function awaitHistories(reading: Promise<unknown>): void {
  recalled = reading
}

export function rememberHistory(hash: Hash, events: readonly TimelineEvent[]): void {
  const [first] = events
  if (!first) return
  histories.set(hash, events.length > MAX_EVENTS ? [first, ...events.slice(1 - MAX_EVENTS)] : events)
}

/** Forgets the histories of all other transactions. */
export function keepHistories(hashes: ReadonlySet<Hash>): void {
  histories = new Map([...histories].filter(([hash]) => hashes.has(hash)))
}

/**
 * The whole history of a transaction: the earlier one, then the node's. If they do not lead to the node's current
 * state, something was missed in between, and only the node's history counts.
 */
export function joinHistory(
  earlier: readonly TimelineEvent[],
  told: readonly TimelineEvent[],
  tx: RpcTransaction | null,
  receipt: RpcReceipt | null,
): readonly TimelineEvent[] {
  const since = told[0]?.atMs ?? Number.POSITIVE_INFINITY
  const joined = [...earlier.filter(({ atMs }) => atMs < since), ...told]
  const [known, answered] = [progressOf(joined), progressByAnswers(tx, receipt)]
  return known.status === answered.status && known.blockNumber === answered.blockNumber ? joined : told
}

/** Parses stored events; `undefined` if no node could have sent them. */
export function parseHistory(value: unknown): readonly TimelineEvent[] | undefined {
  return Array.isArray(value) && value.length <= MAX_EVENTS && value.every(isEvent) ? value : undefined
}

const HASH = /^0x[0-9a-f]{64}$/
const QUANTITY = /^0x[0-9a-f]{1,13}$/
/** Longest reason of a drop, in characters. */
const MAX_REASON = 1_000

function isEvent(value: unknown): value is TimelineEvent {
  if (typeof value !== 'object' || value === null) return false
  const event = value as Partial<Record<string, unknown>>
  const matches = (name: string, pattern: RegExp) => typeof event[name] === 'string' && pattern.test(event[name])
  if (typeof event['atMs'] !== 'number' || !(event['atMs'] >= 0) || event['atMs'] > 8.64e15) return false
  switch (event['kind']) {
    case 'received':
      return true
    case 'preconfirmed': {
      const { index } = event
      const isIndex = typeof index === 'number' && Number.isSafeInteger(index) && index >= 0
      return matches('blockNumber', QUANTITY) && isIndex && matches('status', /^(?:success|reverted)$/)
    }
    case 'sealed':
      return matches('blockNumber', QUANTITY) && matches('blockHash', HASH)
    case 'withdrawn':
      return typeof event['requeued'] === 'boolean'
    case 'dropped':
      return typeof event['reason'] === 'string' && event['reason'].length <= MAX_REASON
    case 'replaced':
      return matches('by', HASH)
    default:
      return false
  }
}
