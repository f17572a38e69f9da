import type { Hash } from '#primitives/hex.ts'
import type { FeedState } from '#ui/feed/feed-state.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'

/**
 * What a screen reader should hear about a commit: the newest step of an own transaction, else a seal that carried
 * transactions; `undefined` for the silence in between.
 */
export function announcement(before: FeedState, after: FeedState, own: readonly Hash[]): string | undefined {
  for (const hash of own) {
    const tx = after.transactions.get(hash)
    if (!tx || tx.stage === before.transactions.get(hash)?.stage) continue
    const name = `Transaction ${shortHex(hash)}`
    const outcome = tx.outcome === 'reverted' ? ', reverted' : ''
    if (tx.stage === 'preconfirmed') return `${name} pre-confirmed in block ${tx.blockNumber}${outcome}`
    if (tx.stage === 'sealed') return `${name} sealed in block ${tx.blockNumber}${outcome}`
    if (tx.stage === 'dropped' || tx.stage === 'replaced') return `${name} ${tx.stage}`
  }
  const newest = after.sealed[0]
  const isNew = newest !== undefined && newest.number !== before.sealed[0]?.number
  if (!isNew || !newest.transactionCount) return undefined
  return `Block ${newest.number} sealed with ${formatCount(newest.transactionCount, 'transaction')}`
}
