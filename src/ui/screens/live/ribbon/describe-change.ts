import type { FeedLiveBlock, SealedSummary } from '#ui/feed/feed-state.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount, formatDuration } from '#ui/format/numbers.ts'
import { partialNumber, partialsInWords } from '#ui/format/partial-number.ts'

/**
 * Describes in a sentence the newest partial block that changed anything; at the start of a block, the seal.
 *
 * @param sealed - The newest sealed block.
 */
export function describeChange(live: FeedLiveBlock, sealed: SealedSummary | undefined): string {
  const { change, number, withdrawn } = live
  const taken = withdrawn.filter(({ count }) => count > 0)
  if (taken.length > 0) {
    const count = taken.reduce((sum, partial) => sum + partial.count, 0)
    return (
      `${partialsInWords(taken.map(({ index }) => index))} of block ${number} ${taken.length === 1 ? 'was' : 'were'} withdrawn: ` +
      `${formatCount(count, 'transaction')} ${count === 1 ? 'is' : 'are'} no longer pre-confirmed.`
    )
  }
  if (change) {
    const { index, added, reverted, tookMs, hash, replacedHash } = change
    const outcome = reverted === 0 ? '' : `, of which ${reverted} reverted`
    const before = replacedHash === undefined ? '' : ` in place of ${shortHex(replacedHash)}`
    return (
      `Partial block ${partialNumber(index)} of block ${number} added ${formatCount(added, 'transaction')}${outcome}, in ` +
      `${formatDuration(Math.max(1, tookMs)).replace(' ', '\u00a0')}; the block’s hash is now ${shortHex(hash)}${before}.`
    )
  }
  const newest = live.complete ? live.slots.findLast((slot) => slot.transactions.length > 0) : undefined
  if (newest) {
    const { index, transactions } = newest
    const reverted = transactions.filter((tx) => tx.reverted).length
    const outcome = reverted === 0 ? '' : `, of which ${reverted} reverted`
    return (
      `Partial block ${partialNumber(index)} of block ${number} added ${formatCount(transactions.length, 'transaction')}${outcome}; ` +
      `the block’s hash is now ${shortHex(live.hash)}.`
    )
  }
  if (live.transactionCount > 0) {
    return (
      `Block ${number} is open, with ${formatCount(live.transactionCount, 'transaction')} from before this page was open. ` +
      'Their partial blocks are not known, so all are shown in the one that was newest when the page opened.'
    )
  }
  // Block 0 was created, not sealed.
  if (sealed && sealed.number > 0 && sealed.number === number - 1 && sealed.transactionCount !== undefined) {
    return (
      `Block ${sealed.number} was sealed with ${formatCount(sealed.transactionCount, 'transaction')}. The hash of ` +
      `its last partial block, ${shortHex(sealed.hash)}, is now its final hash. Block ${number} is open and empty.`
    )
  }
  return `Block ${number} is open. No transactions yet.`
}
