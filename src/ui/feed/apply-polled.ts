import { toWord } from '#primitives/hex.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import {
  addToSlot,
  applyPooled,
  emptySlots,
  type FeedDraft,
  fieldsOf,
  include,
  includedOf,
  setTransaction,
  summaryOf,
  takeBack,
  UNKNOWN_PAYLOAD,
  withoutWithdrawn,
} from './feed-draft.ts'
import { type PartialSlot, SEALED_CAPACITY } from './feed-state.ts'

/** The pending block as polled; replaces what the page knew of it. */
export interface PolledBlock {
  readonly kind: 'polled'
  readonly block: RpcBlock<RpcTransaction>
  /** Present if the chain pre-confirms; otherwise the transactions count as waiting. */
  readonly receipts: readonly RpcReceipt[] | undefined
  /** Index of the newest partial block, if the chain reports it. */
  readonly index: number | undefined
  readonly arrivedAtMs: number
}

/** Applies a polled pending block; its new transactions arrived since the previous poll. */
export function applyPolled(draft: FeedDraft, { block, receipts, index: told, arrivedAtMs }: PolledBlock): void {
  const number = Number(block.number)
  const index = told ?? 0
  const current = draft.live?.number === number ? draft.live : undefined
  if (receipts) takeBack(draft, number, new Set(block.transactions.map((tx) => tx.hash)))
  const slots = withoutWithdrawn(current, index, block.transactions) ?? []
  const seen = new Set(slots.flatMap((slot) => slot.transactions.map((tx) => tx.hash)))
  const fresh = block.transactions.filter((tx) => !seen.has(tx.hash))
  // Several partial blocks may have passed between two polls; only the first one's index is certain.
  const partialIndex = told === 0 ? 0 : undefined
  const transactions = receipts
    ? include(draft, fresh, receipts, number, partialIndex)
    : fresh.map((tx) => {
        applyPooled(draft, tx)
        return includedOf(fieldsOf(tx), false)
      })
  draft.live = {
    number,
    // Some chains' pending blocks have no hash; any value works that changes with the block.
    hash: block.hash ?? toWord(Math.floor(arrivedAtMs)),
    payloadId: UNKNOWN_PAYLOAD,
    // Not every client keeps it up to date in its pending block.
    logsBloom: undefined,
    index,
    slots: addToSlot(withoutGaps(slots, index), index, transactions),
    transactionCount: block.transactions.length,
    complete: false,
    change: undefined,
    withdrawn: [],
    gasUsed: BigInt(block.gasUsed),
    gasLimit: BigInt(block.gasLimit),
    baseFeePerGas: BigInt(block.baseFeePerGas ?? '0x0'),
    arrivedAtMs,
  }
}

/** The partial blocks before `index`, including those that passed between two polls. */
function withoutGaps(slots: readonly PartialSlot[], index: number): readonly PartialSlot[] {
  const known = new Map(slots.map((slot) => [slot.index, slot]))
  const before = emptySlots(index).map((empty) => known.get(empty.index) ?? empty)
  const last = known.get(index)
  return last ? [...before, last] : before
}

/** Adds a sealed block with its contents; replaces another block of the same number. */
export function applyBlock(draft: FeedDraft, block: RpcBlock<RpcTransaction>): void {
  const number = Number(block.number)
  if (draft.sealed.some((sealed) => sealed.number === number && sealed.hash === block.hash)) return
  takeBack(draft, number, new Set(block.transactions.map((tx) => tx.hash)))
  for (const tx of block.transactions) {
    const known = draft.transactions.get(tx.hash)
    const { outcome, partialIndex } = known ?? { outcome: undefined, partialIndex: undefined }
    setTransaction(draft, { ...fieldsOf(tx), status: 'sealed', outcome, blockNumber: number, partialIndex })
  }
  const reverted = block.transactions.filter((tx) => draft.transactions.get(tx.hash)?.outcome === 'reverted').length
  const summary = summaryOf(block, block.transactions.length, reverted)
  draft.sealed = [summary, ...draft.sealed.filter((sealed) => sealed.number < number)].slice(0, SEALED_CAPACITY)
}
