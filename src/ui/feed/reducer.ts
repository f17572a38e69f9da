import type { Hash, Hex } from '#primitives/hex.ts'
import type { RpcBlock, RpcHeader, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { applyContents, type BlockContents } from './apply-contents.ts'
import { applyBlock, applyPolled, type PolledBlock } from './apply-polled.ts'
import {
  addToSlot,
  applyPooled,
  emptySlots,
  type FeedDraft,
  include,
  putBack,
  setStatus,
  setTransaction,
  summaryOf,
  takeBack,
  UNKNOWN_PAYLOAD,
  withdrawnOf,
  withoutWithdrawn,
} from './feed-draft.ts'
import {
  DRAWN_CAPACITY,
  EMPTY_FEED,
  type FeedLiveBlock,
  type FeedState,
  type FeedTransaction,
  type PartialChange,
  type PartialSlot,
  SEALED_CAPACITY,
  type SealedSummary,
  TRANSACTION_CAPACITY,
} from './feed-state.ts'

/** One event of the chain, in the order of arrival. */
export type FeedEvent =
  | { readonly kind: 'reset' }
  /** Sealed blocks from before the subscription, newest first. */
  | { readonly kind: 'history'; readonly blocks: readonly RpcBlock<Hash>[] }
  /** Contents of some of them. */
  | { readonly kind: 'contents'; readonly contents: readonly BlockContents[] }
  /** The current pending block, fetched before its first partial block arrives. */
  | {
      readonly kind: 'pending'
      /** The block that was shown when the node went away: unless a later one has arrived, it is over. */
      readonly replaces?: FeedLiveBlock | undefined
      readonly block: RpcBlock<RpcTransaction>
      readonly receipts: readonly RpcReceipt[]
      /** Number of transactions added by each partial block, from index 0 to the newest. */
      readonly counts: readonly number[]
      readonly arrivedAtMs: number
    }
  | { readonly kind: 'partial'; readonly partial: PartialBlockDiff; readonly arrivedAtMs: number }
  | { readonly kind: 'head'; readonly header: RpcHeader }
  /** A sealed block with its contents, from a chain whose partial blocks do not list them. */
  | { readonly kind: 'block'; readonly block: RpcBlock<RpcTransaction> }
  | PolledBlock
  | { readonly kind: 'pooled'; readonly tx: RpcTransaction }
  /** Transactions that were looked up and found in no pool and no block. */
  | { readonly kind: 'gone'; readonly hashes: readonly Hash[] }

/** The state after a batch of events; the previous state is not changed. */
export function reduceFeed(state: FeedState, events: readonly FeedEvent[]): FeedState {
  if (events.length === 0) return state
  let draft: FeedDraft = { ...state, transactions: new Map(state.transactions) }
  for (const event of events) {
    switch (event.kind) {
      case 'reset':
        draft = { ...EMPTY_FEED, transactions: new Map() }
        break
      case 'history':
        draft.sealed = mergeHistory(draft.sealed, event.blocks)
        for (const block of event.blocks) applySealed(draft, block)
        break
      case 'contents':
        applyContents(draft, event.contents)
        break
      case 'pending':
        applyPending(draft, event)
        break
      case 'partial':
        applyPartial(draft, event.partial, event.arrivedAtMs)
        break
      case 'head':
        applyHead(draft, event.header)
        break
      case 'block':
        applyBlock(draft, event.block)
        break
      case 'polled':
        applyPolled(draft, event)
        break
      case 'pooled':
        applyPooled(draft, event.tx)
        break
      case 'gone':
        for (const hash of event.hashes) setStatus(draft, hash, 'dropped')
        break
    }
  }
  trim(draft.transactions)
  const { live, sealed, reorgs, transactions } = draft
  return { live, sealed, reorgs, transactions }
}

function applyPending(draft: FeedDraft, event: FeedEvent & { kind: 'pending' }) {
  const { replaces, block, receipts, counts, arrivedAtMs } = event
  if (draft.live && draft.live !== replaces) return
  const number = Number(block.number)
  const { transactions } = block
  if (replaces) {
    const kept = new Set(transactions.map((tx) => tx.hash))
    putBack(draft, (tx) => tx.status === 'preconfirmed' && !kept.has(tx.hash))
  }
  const index = Math.max(0, counts.length - 1)
  // Counts and transactions are fetched separately, and a partial block may have been cut in between.
  const complete = counts.reduce((sum, count) => sum + count, 0) === transactions.length
  let start = 0
  const slots = complete
    ? counts.map((count, at): PartialSlot => {
        const brought = transactions.slice(start, start + count)
        start += count
        return { index: at, transactions: include(draft, brought, receipts, number, at) }
      })
    : [{ index, transactions: include(draft, transactions, receipts, number, undefined) }]
  draft.live = {
    number,
    hash: block.hash,
    payloadId: UNKNOWN_PAYLOAD,
    // Some remote chains answer null.
    logsBloom: block.logsBloom ?? undefined,
    index,
    slots,
    transactionCount: transactions.length,
    complete,
    change: undefined,
    withdrawn: [],
    gasUsed: BigInt(block.gasUsed),
    gasLimit: BigInt(block.gasLimit),
    baseFeePerGas: BigInt(block.baseFeePerGas),
    arrivedAtMs,
  }
}

function applyPartial(
  draft: FeedDraft,
  { index, payloadId, base, diff, metadata }: PartialBlockDiff,
  arrivedAtMs: number,
) {
  const number = Number(metadata.blockNumber)
  const current = isSamePayload(draft.live, number, payloadId) ? draft.live : undefined
  if (!current && !base) return
  // A message with `base` has all transactions so far; missing ones were withdrawn. This partial block may have been
  // cut while the block was being fetched.
  if (base) takeBack(draft, number, new Set(diff.transactions.map((tx) => tx.hash)))
  const slots = base ? withoutWithdrawn(current, index, diff.transactions) : current?.slots
  const isAfresh = base !== undefined || current?.payloadId === UNKNOWN_PAYLOAD
  const told = isAfresh ? slots : slots?.filter((slot) => slot.index === index)
  const seen = new Set(told?.flatMap((slot) => slot.transactions.map((tx) => tx.hash)))
  const fresh = diff.transactions.filter((tx) => !seen.has(tx.hash))
  const partialIndex = current || index === 0 ? index : undefined
  const transactions = include(draft, fresh, diff.receipts, number, partialIndex)
  draft.live = {
    number,
    hash: diff.blockHash,
    payloadId,
    logsBloom: diff.logsBloom ?? undefined,
    index,
    slots: addToSlot(slots ?? emptySlots(fresh.length === 0 ? index : 0), index, transactions),
    transactionCount: metadata.transactionCount,
    complete: current ? current.complete : index === 0 || fresh.length === 0,
    change: changeOf(current, { index, transactions }, diff.blockHash, metadata.tookMs),
    withdrawn: base ? withdrawnOf(current, index, slots ?? []) : stillWithdrawn(current, index),
    gasUsed: BigInt(diff.gasUsed),
    gasLimit: base ? BigInt(base.gasLimit) : (current?.gasLimit ?? 0n),
    baseFeePerGas: base ? BigInt(base.baseFeePerGas) : (current?.baseFeePerGas ?? 0n),
    arrivedAtMs,
  }
}

/** The partial block that just arrived if it added anything; otherwise the last one that did and still stands. */
function changeOf(
  current: FeedLiveBlock | undefined,
  { index, transactions }: PartialSlot,
  hash: Hash,
  tookMs: number,
): PartialChange | undefined {
  if (transactions.length === 0) {
    const before = current?.change
    return before && before.index <= index ? before : undefined
  }
  const reverted = transactions.filter((tx) => tx.reverted).length
  return { index, added: transactions.length, reverted, tookMs, hash, replacedHash: current?.hash }
}

function stillWithdrawn(current: FeedLiveBlock | undefined, index: number): FeedLiveBlock['withdrawn'] {
  const { withdrawn = [] } = current ?? {}
  return withdrawn.length === 0 ? withdrawn : withdrawn.filter((partial) => partial.index > index)
}

function isSamePayload(live: FeedLiveBlock | undefined, number: number, payloadId: Hex): boolean {
  return live?.number === number && (live.payloadId === payloadId || live.payloadId === UNKNOWN_PAYLOAD)
}

function applyHead(draft: FeedDraft, header: RpcHeader) {
  const number = Number(header.number)
  const live = draft.live?.number === number && !isOutdated(draft.live, header) ? draft.live : undefined
  for (const slot of live?.slots ?? []) for (const { hash } of slot.transactions) setStatus(draft, hash, 'sealed')
  const reverted = live?.slots.reduce((sum, slot) => sum + slot.transactions.filter((tx) => tx.reverted).length, 0) ?? 0
  const summary = {
    ...summaryOf(header, live?.transactionCount, reverted),
    partials: live?.complete ? countsByIndex(live) : undefined,
    slots: live?.slots,
  }
  draft.sealed = [summary, ...draft.sealed.filter((block) => block.number < number)]
    .slice(0, SEALED_CAPACITY)
    .map((block, i) => (i < DRAWN_CAPACITY || !block.slots ? block : { ...block, slots: undefined }))
}

/** Whether the block has grown since it was fetched, without an event. */
function isOutdated(live: FeedLiveBlock, { hash }: RpcHeader): boolean {
  return live.payloadId === UNKNOWN_PAYLOAD && live.hash !== hash
}

function countsByIndex(live: FeedLiveBlock): readonly number[] {
  const counts = Array.from({ length: live.index + 1 }, () => 0)
  for (const slot of live.slots) counts[slot.index] = slot.transactions.length
  return counts
}

function mergeHistory(sealed: readonly SealedSummary[], blocks: readonly RpcBlock<Hash>[]): readonly SealedSummary[] {
  const seen = sealed.filter((block) => block.transactionCount !== undefined)
  const known = new Set(seen.map((block) => block.number))
  const older = blocks
    .filter((block) => !known.has(Number(block.number)))
    .map((block) => summaryOf(block, block.transactions.length, 0))
  const told = new Set(older.map((block) => block.number))
  const unseen = sealed.filter((block) => block.transactionCount === undefined && !told.has(block.number))
  return [...seen, ...unseen, ...older].toSorted((a, b) => b.number - a.number).slice(0, SEALED_CAPACITY)
}

/** Marks the block's transactions as sealed; the page may have missed its partial blocks. */
function applySealed(draft: FeedDraft, block: RpcBlock<Hash>) {
  for (const hash of block.transactions) {
    const tx = draft.transactions.get(hash)
    if (tx) setTransaction(draft, { ...tx, status: 'sealed', blockNumber: Number(block.number) })
  }
}

function trim(transactions: Map<Hash, FeedTransaction>) {
  for (const hash of transactions.keys()) {
    if (transactions.size <= TRANSACTION_CAPACITY) return
    transactions.delete(hash)
  }
}
