import type { Hash } from '#primitives/hex.ts'
import type { TransactionTimeline } from '#rpc-types/methods/devnet.ts'

/** What has happened to a transaction, a line each, in milliseconds since it was received. */
export function describeTimeline(hash: Hash, timeline: TransactionTimeline | null): string {
  if (!timeline) return `${hash}: the chain has never seen it`
  const [first] = timeline.events
  const lines = timeline.events.map((event) => {
    const at = `+${Math.round(event.atMs - (first?.atMs ?? event.atMs))} ms`.padStart(12)
    switch (event.kind) {
      case 'preconfirmed':
        return `${at}  pre-confirmed in block ${Number(event.blockNumber)}, partial block ${event.index}: ${event.status}`
      case 'sealed':
        return `${at}  sealed in block ${Number(event.blockNumber)}`
      case 'withdrawn':
        return `${at}  pre-confirmation withdrawn, ${event.requeued ? 'waits again' : 'lost'}`
      case 'dropped':
        return `${at}  dropped: ${event.reason}`
      case 'replaced':
        return `${at}  replaced by ${event.by}`
      default:
        return `${at}  received`
    }
  })
  return [hash, ...lines].join('\n')
}
