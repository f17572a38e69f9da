import { useNow } from '#ui/feed/ticker.ts'
import { formatAge } from '#ui/format/numbers.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useStatus } from '#ui/queries/status.ts'

/**
 * How long ago something was, by the chain's own time where it has one.
 *
 * @param timestamp - Seconds since the Unix epoch.
 */
export function Age({ timestamp }: { timestamp: number }) {
  const { devnet } = useCapabilities()
  const chainTime = useStatus((status) => Math.floor(status.chainTimeMs / 1000))
  const present = Math.floor(useNow(!devnet) / 1000)
  const now = devnet ? chainTime : present
  return now === undefined ? null : ` · ${formatAge(now - timestamp)}`
}
