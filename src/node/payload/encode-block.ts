import { RLP } from '@ethereumjs/rlp'
import { concatBytes } from '#primitives/bytes.ts'
import { listHeader } from '../tx/signing-digest.ts'
import type { Block } from './block.ts'
import { encodeHeader } from './header.ts'

/** RLP of no items: this chain has neither uncles nor withdrawals. */
const EMPTY_LIST = Uint8Array.of(0xc0)

/** RLP of a block: header, transactions, uncles, withdrawals. */
export function encodeBlock({ header, transactions }: Pick<Block, 'header' | 'transactions'>): Uint8Array {
  const body = transactions.map(({ tx }) => (tx.type === 0 ? tx.raw : RLP.encode(tx.raw)))
  return list([encodeHeader(header), list(body), EMPTY_LIST, EMPTY_LIST])
}

/** @param items - Already encoded as RLP. */
function list(items: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const item of items) length += item.length
  return concatBytes(listHeader(length), ...items)
}
