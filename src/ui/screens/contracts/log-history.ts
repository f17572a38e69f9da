import type { RpcLog } from '#rpc-types/objects.ts'

/** Logs that are shown of one contract. */
const CAPACITY = 100

/**
 * A contract's logs, newest first, with one more: told of when it was pre-confirmed, when it was sealed, or both.
 *
 * What a transaction logged in another block was taken back with it.
 */
export function addLog(logs: readonly RpcLog[], log: RpcLog): readonly RpcLog[] {
  if (log.removed) return logs.filter((other) => !isSame(other, log))
  const others = logs.filter(
    (other) =>
      !isSame(other, log) && (other.transactionHash !== log.transactionHash || other.blockNumber === log.blockNumber),
  )
  return [...others, log].toSorted(byAge).slice(0, CAPACITY)
}

function isSame(a: RpcLog, b: RpcLog): boolean {
  return a.transactionHash === b.transactionHash && a.blockNumber === b.blockNumber && a.logIndex === b.logIndex
}

function byAge(a: RpcLog, b: RpcLog): number {
  return Number(b.blockNumber) - Number(a.blockNumber) || Number(b.logIndex) - Number(a.logIndex)
}
