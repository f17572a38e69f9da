import { createContext, type ReactNode, useContext } from 'react'
import { useNow } from '#ui/feed/ticker.ts'
import { formatAge, formatTimestamp } from '#ui/format/numbers.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { useStatus } from '#ui/queries/status.ts'

/** Seconds since the Unix epoch; `undefined` while it is not known. */
const Present = createContext<number | undefined>(undefined)

/** Tells the ages below it what time it is: by the chain, if that has a time of its own. One clock for a whole list. */
export function AgeClock({ children }: { children: ReactNode }) {
  const { devnet } = useCapabilities()
  const byChain = useStatus((status) => Math.floor(status.chainTimeMs / 1000))
  const present = Math.floor(useNow(!devnet) / 1000)
  return <Present value={devnet ? byChain : present}>{children}</Present>
}

/**
 * An age, by the {@link AgeClock} above.
 *
 * @param timestamp - Seconds since the Unix epoch.
 */
export function Age({ timestamp }: { timestamp: number }) {
  const present = useContext(Present)
  if (present === undefined) return null
  return <time title={formatTimestamp(timestamp)}>{formatAge(present - timestamp)}</time>
}
