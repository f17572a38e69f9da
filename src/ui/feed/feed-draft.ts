import type { Hash } from '#primitives/hex.ts'
import type { RpcHeader, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type {
  FeedBlockTransaction,
  FeedLiveBlock,
  FeedStatus,
  FeedTransaction,
  PartialSlot,
  SealedSummary,
  WithdrawnPartial,
} from './feed-state.ts'

/** A draft of the state; its map is copied only once per batch. */
export interface FeedDraft {
  live: FeedLiveBlock | undefined
  sealed: readonly SealedSummary[]
  reorgs: number
  readonly transactions: Map<Hash, FeedTransaction>
  /** Waiting transactions by sender and nonce; built at the first use in a batch. */
  waiting?: Map<string, Hash>
}

/** The payload id until the subscription's first message. */
export const UNKNOWN_PAYLOAD = '0x'

/** A sealed block as it is known from its header, without its transactions by partial block. */
export function summaryOf(
  header: Pick<RpcHeader, 'number' | 'hash' | 'timestamp' | 'gasUsed' | 'gasLimit'>,
  transactionCount: number | undefined,
  revertedCount: number,
): SealedSummary {
  return {
    number: Number(header.number),
    hash: header.hash,
    timestamp: Number(header.timestamp),
    gasUsed: BigInt(header.gasUsed),
    gasLimit: BigInt(header.gasLimit),
    transactionCount,
    revertedCount,
    partials: undefined,
    slots: undefined,
  }
}

/**
 * Undoes a withdrawal or a reorg: removes blocks from `number` on, and returns their transactions to the mempool,
 * except those in `kept`.
 */
export function takeBack(draft: FeedDraft, number: number, kept: ReadonlySet<Hash>): void {
  if (draft.sealed.some((block) => block.number >= number)) {
    draft.sealed = draft.sealed.filter((block) => block.number < number)
    draft.reorgs++
  }
  putBack(draft, (tx) => tx.blockNumber !== undefined && tx.blockNumber >= number && !kept.has(tx.hash))
}

/** Returns transactions to the mempool. */
export function putBack(draft: FeedDraft, isTakenBack: (tx: FeedTransaction) => boolean): void {
  for (const tx of draft.transactions.values()) {
    if (!isTakenBack(tx)) continue
    setTransaction(draft, {
      ...tx,
      status: 'mempool',
      outcome: undefined,
      blockNumber: undefined,
      partialIndex: undefined,
    })
  }
}

/** The partial blocks up to `index`, with their remaining transactions. */
export function withoutWithdrawn(
  current: FeedLiveBlock | undefined,
  index: number,
  left: readonly RpcTransaction[],
): readonly PartialSlot[] | undefined {
  const kept = new Set(left.map((tx) => tx.hash))
  return current?.slots
    .filter((slot) => slot.index <= index)
    .map((slot) => ({ ...slot, transactions: slot.transactions.filter((tx) => kept.has(tx.hash)) }))
}

/** Withdrawn partial blocks that were not cut again; `index` is the newest one, with `slots` below it. */
export function withdrawnOf(
  before: FeedLiveBlock | undefined,
  index: number,
  slots: readonly PartialSlot[],
): readonly WithdrawnPartial[] {
  if (!before) return []
  const left = new Map(slots.map((slot) => [slot.index, slot.transactions.length]))
  const known = new Map(before.withdrawn.map((partial) => [partial.index, partial.count]))
  for (const slot of before.slots) {
    const lost = slot.transactions.length - (left.get(slot.index) ?? 0)
    if (slot.index > index || lost > 0) known.set(slot.index, lost)
  }
  return [...known].map(([at, count]) => ({ index: at, count })).filter((partial) => partial.index >= index)
}

/** A partial block may be cut again at its index, for example after the faucet. */
export function addToSlot(
  slots: readonly PartialSlot[],
  index: number,
  transactions: PartialSlot['transactions'],
): readonly PartialSlot[] {
  const last = slots.at(-1)
  if (last?.index !== index) return [...slots, { index, transactions }]
  return [...slots.slice(0, -1), { index, transactions: [...last.transactions, ...transactions] }]
}

/** Empty partial blocks 0 to `end` − 1, for a block that was empty when the page first saw it. */
export function emptySlots(end: number): readonly PartialSlot[] {
  return Array.from({ length: end }, (_, index) => ({ index, transactions: [] }))
}

/** Marks transactions as pre-confirmed. Returns them as their partial block shows them. */
export function include(
  draft: FeedDraft,
  transactions: readonly RpcTransaction[],
  receipts: readonly RpcReceipt[],
  blockNumber: number,
  partialIndex: number | undefined,
): PartialSlot['transactions'] {
  const failed = new Set(
    receipts.filter((receipt) => receipt.status === '0x0').map((receipt) => receipt.transactionHash),
  )
  return transactions.map((tx) => {
    const reverted = failed.has(tx.hash)
    const outcome = reverted ? 'reverted' : 'success'
    const fields = fieldsOf(tx)
    setTransaction(draft, { ...fields, status: 'preconfirmed', outcome, blockNumber, partialIndex })
    return includedOf(fields, reverted)
  })
}

/** A transaction as a block shows it. */
export function includedOf(
  { hash, from, to, value }: Pick<FeedTransaction, 'hash' | 'from' | 'to' | 'value'>,
  reverted: boolean,
): FeedBlockTransaction {
  return { hash, from, to, value, reverted }
}

/** Adds a waiting transaction; one that is already further stays as it is. */
export function applyPooled(draft: FeedDraft, tx: RpcTransaction): void {
  const known = draft.transactions.get(tx.hash)
  // A dropped transaction can be sent again.
  if (known && known.status !== 'dropped' && known.status !== 'replaced') return
  draft.waiting ??= waitingOf(draft.transactions)
  const fields = fieldsOf(tx)
  const other = draft.transactions.get(draft.waiting.get(placeOf(fields)) ?? tx.hash)
  if (other?.status === 'mempool') setStatus(draft, other.hash, 'replaced')
  setTransaction(draft, {
    ...fields,
    status: 'mempool',
    outcome: undefined,
    blockNumber: undefined,
    partialIndex: undefined,
  })
}

function waitingOf(transactions: FeedDraft['transactions']): Map<string, Hash> {
  const waiting = [...transactions.values()].filter((tx) => tx.status === 'mempool')
  return new Map(waiting.map((tx) => [placeOf(tx), tx.hash]))
}

/** Key of a sender's nonce, which only one transaction can use. */
function placeOf({ from, nonce }: Pick<FeedTransaction, 'from' | 'nonce'>): string {
  return `${from} ${nonce}`
}

/** The fields of a transaction that the feed keeps. */
export function fieldsOf({
  hash,
  from,
  to,
  nonce,
  value,
  input,
}: RpcTransaction): Pick<FeedTransaction, 'hash' | 'from' | 'to' | 'nonce' | 'value' | 'input'> {
  return { hash, from, to, nonce: Number(nonce), value: BigInt(value), input }
}

/** Adds or replaces a transaction. */
export function setTransaction(draft: FeedDraft, tx: FeedTransaction): void {
  draft.transactions.set(tx.hash, tx)
  if (tx.status === 'mempool') draft.waiting?.set(placeOf(tx), tx.hash)
}

/** Moves a known transaction to another status. */
export function setStatus(draft: FeedDraft, hash: Hash, status: FeedStatus): void {
  const tx = draft.transactions.get(hash)
  if (tx) draft.transactions.set(hash, { ...tx, status })
}
