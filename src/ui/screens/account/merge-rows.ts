import type { Address, Hash } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import type { TransactionRow } from '#ui/chain/TransactionTable.tsx'

/**
 * An account's transactions, newest first, each once.
 *
 * @param heard - Of the page's feed, oldest first, of any account.
 * @param found - In sealed blocks, newest first.
 */
export function mergeRows(
  address: Address,
  heard: readonly TransactionRow[],
  found: readonly RpcTransaction[],
): readonly TransactionRow[] {
  const own = heard.filter((tx) => tx.from === address || tx.to === address).toReversed()
  const known = new Set<Hash>(own.map(({ hash }) => hash))
  return [...own, ...found.filter(({ hash }) => !known.has(hash)).map(sealedRow)]
}

/** What a block says of its transaction; the outcome stands in the receipt. */
function sealedRow({ hash, from, to, value, input, blockNumber }: RpcTransaction): TransactionRow {
  return {
    hash,
    from,
    to,
    value: BigInt(value),
    input,
    stage: 'sealed',
    outcome: undefined,
    blockNumber: blockNumber === null ? undefined : Number(blockNumber),
    partialIndex: undefined,
  }
}
