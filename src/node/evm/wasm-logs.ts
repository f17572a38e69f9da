import type { EngineInstance } from '#engine/engine-instance.ts'
import type { LinearMemory } from '#engine/linear-memory.ts'
import type { Hash } from '#primitives/hex.ts'
import type { EngineLog } from './engine.ts'

/** Size of the data and number of topics, then the address; then topics and data: `src/engine/assembly/evm/log.ts`. */
const HEAD_BYTES = 40

/** The logs of a message, in order. */
export function readLogs({ exports, memory }: EngineInstance): EngineLog[] {
  const logs: EngineLog[] = []
  const end = exports.logsAt() + exports.logsSize()
  for (let at = exports.logsAt(); at < end; ) {
    const log = readLog(memory, at)
    logs.push(log)
    at += HEAD_BYTES + 32 * log.topics.length + log.data.length
  }
  return logs
}

/** The log that stands at that place. */
export function readLog(memory: LinearMemory, at: number): EngineLog {
  const size = memory.view.getUint32(at, true)
  const count = memory.view.getUint32(at + 4, true)
  const topicsAt = at + HEAD_BYTES
  const topics: Hash[] = []
  for (let i = 0; i < count; i++) topics.push(memory.readHash(topicsAt + 32 * i))
  return {
    address: memory.readAddress(at + 8),
    topics,
    data: memory.slice(topicsAt + 32 * count, size),
  }
}
