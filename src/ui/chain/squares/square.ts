import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { FeedBlockTransaction, FeedTransaction } from '#ui/feed/feed-state.ts'
import { isWanted } from '#ui/feed/highlight.ts'

/** A transaction as a square shows it. */
export interface Square {
  readonly status: 'mempool' | 'preconfirmed' | 'sealed'
  readonly reverted: boolean
  /** Sent by this page: drawn with a firm outline. */
  readonly own: boolean
  /** The transaction; unknown for blocks of which only the number of transactions is known. */
  readonly tx: Pick<FeedTransaction, 'hash' | 'from' | 'to' | 'value'> | undefined
}

export function squareOf(
  tx: FeedBlockTransaction | FeedTransaction,
  status: Square['status'],
  ownHashes: ReadonlySet<Hash>,
): Square {
  return { status, reverted: 'reverted' in tx && tx.reverted, own: ownHashes.has(tx.hash), tx }
}

/** The search among squares: a hash or an address; all of them, or none, if it is a block. */
export type WantedSquares = Hex | 'every' | 'none'

function isHighlighted({ tx }: Square, wanted: WantedSquares): boolean {
  if (wanted === 'every' || wanted === 'none') return wanted === 'every'
  return tx !== undefined && isWanted(tx, wanted)
}

/** A square's look; squares with the same look share one picture. */
export type SquareLook = `${Square['status'] | 'reverted'}${'' | ' own'}${'' | ' found' | ' faint'}${'' | ` ${number}`}`

/**
 * @param wanted - What is looked for; all other squares are faint then.
 * @param marks - Of senders.
 */
export function lookOf(
  square: Square,
  wanted: WantedSquares | undefined,
  marks?: ReadonlyMap<Address, number>,
): SquareLook {
  const sign = square.reverted ? 'reverted' : square.status
  const own = square.own ? ' own' : ''
  const found = wanted === undefined ? '' : isHighlighted(square, wanted) ? ' found' : ' faint'
  const mark = square.tx && marks?.get(square.tx.from)
  return mark === undefined ? `${sign}${own}${found}` : `${sign}${own}${found} ${mark}`
}
