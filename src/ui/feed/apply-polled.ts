import { toWord } from '#primitives/hex.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import {
  addToSlot,
  applyPooled,
  type Draft,
  emptySlots,
  fieldsOf,
  include,
  includedOf,
  setTransaction,
  takeBack,
  UNKNOWN_PAYLOAD,
  withoutWithdrawn,
} from './feed-draft.ts'
import { type PartialSlot, SEALED_CAPACITY, type SealedSummary } from './feed-state.ts'

/** The pending block as the chain answered it; replaces what the page knew of it. */
export interface PolledBlock {
  readonly kind: 'polled'
  readonly block: RpcBlock<RpcTransaction>
  /** Given if the chain pre-confirms; otherwise its transactions merely wait. */
  readonly receipts: readonly RpcReceipt[] | undefined
  /** Newest partial block, where the chain tells. */
  readonly index: number | undefined
  readonly arrivedAtMs: number
}

/** Takes over the pending block as it was answered; what is new in it came since the answer before. */
export function applyPolled(draft: Draft, { block, receipts, index: told, arrivedAtMs }: PolledBlock): void {
  const number = Number(block.number)
  const index = told ?? 0
  const current = draft.live?.number === number ? draft.live : undefined
  if (receipts) takeBack(draft, number, new Set(block.transactions.map((tx) => tx.hash)))
  const slots = withoutWithdrawn(current, index, block.transactions) ?? []
  const seen = new Set(slots.flatMap((slot) => slot.transactions.map((tx) => tx.hash)))
  const fresh = block.transactions.filter((tx) => !seen.has(tx.hash))
  // Several partial blocks may have gone by: which of them brought a transaction is known of the first only.
  const partialIndex = told === 0 ? 0 : undefined
  const transactions = receipts
    ? include(draft, fresh, receipts, number, partialIndex)
    : fresh.map((tx) => {
        applyPooled(draft, tx)
        return includedOf(fieldsOf(tx), false)
      })
  draft.live = {
    number,
    // Some chains give their pending block no hash; it only has to change when the block does.
    hash: block.hash ?? toWord(Math.floor(arrivedAtMs)),
    payloadId: UNKNOWN_PAYLOAD,
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

/** The partial blocks before `index`, with those that went by between two questions. */
function withoutGaps(slots: readonly PartialSlot[], index: number): readonly PartialSlot[] {
  const known = new Map(slots.map((slot) => [slot.index, slot]))
  const before = emptySlots(index).map((empty) => known.get(empty.index) ?? empty)
  const last = known.get(index)
  return last ? [...before, last] : before
}

/** Adds a sealed block with what is in it; another one of the same number is reverted. */
export function applyBlock(draft: Draft, block: RpcBlock<RpcTransaction>): void {
  const number = Number(block.number)
  if (draft.sealed.some((sealed) => sealed.number === number && sealed.hash === block.hash)) return
  takeBack(draft, number, new Set(block.transactions.map((tx) => tx.hash)))
  for (const tx of block.transactions) {
    const known = draft.transactions.get(tx.hash)
    const { outcome, partialIndex } = known ?? { outcome: undefined, partialIndex: undefined }
    setTransaction(draft, { ...fieldsOf(tx), stage: 'sealed', outcome, blockNumber: number, partialIndex })
  }
  const summary: SealedSummary = {
    number,
    hash: block.hash,
    timestamp: Number(block.timestamp),
    gasUsed: BigInt(block.gasUsed),
    gasLimit: BigInt(block.gasLimit),
    transactionCount: block.transactions.length,
    revertedCount: block.transactions.filter((tx) => draft.transactions.get(tx.hash)?.outcome === 'reverted').length,
    partials: undefined,
    slots: undefined,
  }
  draft.sealed = [summary, ...draft.sealed.filter((sealed) => sealed.number < number)].slice(0, SEALED_CAPACITY)
}
