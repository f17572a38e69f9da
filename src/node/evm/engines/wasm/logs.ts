import { RESULT } from '#engine/engine-exports.ts'
import type { EngineInstance } from '#engine/engine-instance.ts'
import type { Hash } from '#primitives/hex.ts'
import type { EngineLog } from '../../message.ts'

/** Size of the data, number of topics, number of the account; then topics and data: `src/engine/assembly/evm/state/log.ts`. */
const HEAD_BYTES = 16
const TOPIC_BYTES = 32

export const NO_LOGS: readonly EngineLog[] = []

/**
 * The logs of a message, in order.
 *
 * @param result - Address of its result in memory.
 */
export function readLogs(instance: EngineInstance, result: number): readonly EngineLog[] {
  const { view } = instance.memory
  const end = view.getUint32(result + RESULT.logsEnd, true)
  const start = view.getUint32(result + RESULT.logs, true)
  if (start === end) return NO_LOGS
  const logs: EngineLog[] = []
  for (let at = start; at < end; ) {
    const log = readLog(instance, at)
    logs.push(log)
    at += HEAD_BYTES + TOPIC_BYTES * log.topics.length + log.data.length
  }
  return logs
}

/** The log at that address. */
export function readLog(instance: EngineInstance, at: number): EngineLog {
  const { memory } = instance
  const { view } = memory
  const size = view.getUint32(at, true)
  const dataAt = at + HEAD_BYTES + TOPIC_BYTES * view.getUint32(at + 4, true)
  const topics: Hash[] = []
  for (let topicAt = at + HEAD_BYTES; topicAt < dataAt; topicAt += TOPIC_BYTES) topics.push(memory.readHash(topicAt))
  return { address: instance.addressOf(view.getUint32(at + 8, true)), topics, data: memory.slice(dataAt, size) }
}
