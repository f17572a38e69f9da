import type { Log } from '../../payload/block.ts'
import type { LogFilter } from './log-filter-params.ts'

/** Whether the filter selects at least one of the logs. */
export function hasMatchingLog(logs: readonly Log[], filter: LogFilter): boolean {
  return logs.some((log) => matchesLog(log, filter))
}

/** As `eth_getLogs`: one of the addresses, and at each position that the filter names one of its topics. */
export function matchesLog({ address, topics }: Log, filter: LogFilter): boolean {
  if (filter.addresses.length > 0 && !filter.addresses.includes(address)) return false
  if (filter.topics.length > topics.length) return false
  return filter.topics.every(
    (wanted, i) => wanted.length === 0 || wanted.includes(topics[i] as (typeof topics)[number]),
  )
}
