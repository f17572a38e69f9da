import { useNow } from '#ui/feed/ticker.ts'
import { formatAge, formatTimestamp } from '#ui/format/numbers.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useStatus } from '#ui/queries/status.ts'

/**
 * An age, by chain time if the chain has its own.
 *
 * @param timestamp - Seconds since the Unix epoch.
 */
export function Age({ timestamp }: { timestamp: number }) {
  const { devnet } = useCapabilities()
  const byChain = useStatus(({ chainTimeMs }) => formatAge(Math.floor(chainTimeMs / 1000) - timestamp))
  const present = Math.floor(useNow(!devnet) / 1000)
  const age = devnet ? byChain : formatAge(present - timestamp)
  if (age === undefined) return null
  return (
    <time dateTime={new Date(timestamp * 1000).toISOString()} title={formatTimestamp(timestamp)}>
      {age}
    </time>
  )
}
