import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { subscribe } from '#client/session/subscribe.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { batchEvents, type Sight } from './batch-events.ts'
import type { FeedLiveBlock, FeedState, FeedStatus } from './feed-state.ts'
import { fetchContents, fetchWaiting } from './fetch-contents.ts'
import { lookBack } from './look-back.ts'
import type { FeedEvent } from './reducer.ts'
import { pooledTransactions } from './selectors.ts'

/** How many earlier sealed blocks are fetched. */
const HISTORY = 8
/** How many transactions a page shows at least, if the chain has so many. */
const WANTED = 20
/** How many waiting transactions are looked up at once, to find those that the pool dropped. */
const LOOKUPS = 50

/** The part of the store that the feed writes to. */
export interface FeedSink {
  read(): FeedState
  commit(events: readonly FeedEvent[]): void
  /** The oldest block to fetch; default 0. */
  readonly first?: number
  /** Whether the page is visible; always, if left out. */
  readonly sight?: Sight
}

/**
 * Follows the chain into the store, with at most one commit per partial block.
 *
 * @returns Stops following.
 * @throws {ProviderRpcError} If a subscription is refused or the node is gone.
 */
export async function connectFeed(provider: BlinknetProvider, sink: FeedSink): Promise<() => void> {
  let filling = false
  let stopped = false
  const { enqueue, stop } = batchEvents(commit, sink.sight)

  function commit(events: readonly FeedEvent[]): void {
    const before = sink.read()
    sink.commit(events)
    const after = sink.read()
    const waiting = pooledTransactions(after.transactions).map((tx) => tx.hash)
    const withdrawn = waiting.some((hash) => isIncluded(before.transactions.get(hash)?.status))
    // Only the node knows whether they wait again or are lost.
    if (withdrawn || after.reorgs !== before.reorgs) lookUp(waiting).catch(ignoreDisconnect)
    const isUnseen = events.some(({ kind }) => kind === 'head') && after.sealed[0]?.transactionCount === undefined
    if ((hasGap(after) || isUnseen) && !filling) fillGap().catch(ignoreDisconnect)
    if (events.some(({ kind }) => kind === 'partial')) watchPool(waiting).catch(ignoreDisconnect)
  }
  /** Fetches sealed blocks, or their contents, that the page missed because the node changed or the page is new. */
  async function fillGap(): Promise<void> {
    filling = true
    try {
      const blocks = await fetchHistory(provider, sink.first)
      enqueue({ kind: 'history', blocks })
      for (const event of await fetchContents(provider, blocks.filter(isNotDrawn))) enqueue(event)
    } finally {
      filling = false
    }
  }

  /** Adds earlier events; nothing waits for them. */
  async function fillIn(present: readonly FeedEvent[]): Promise<void> {
    const blocks = present.flatMap((event) => (event.kind === 'history' ? event.blocks : []))
    const [contents, waiting] = await Promise.all([fetchContents(provider, blocks), fetchWaiting(provider)])
    for (const event of [...contents, ...waiting]) enqueue(event)
    const known = blocks.reduce((sum, block) => sum + block.transactions.length, waiting.length)
    const before = Math.min(...blocks.map(({ number }) => Number(number)))
    if (known < WANTED && blocks.length > 0) await fillInEarlier(before, WANTED - known)
  }
  /** Adds transactions from before the fetched blocks, however old they are. */
  async function fillInEarlier(before: number, wanted: number): Promise<void> {
    const found = lookBack(provider, { before, first: sink.first ?? 0, wanted, isStopped: () => stopped })
    for await (const one of found) if (!stopped) enqueue({ kind: 'contents', contents: [one] })
  }
  /** Blocks that this page followed already have their contents. */
  function isNotDrawn({ hash }: RpcBlock<Hash>): boolean {
    return !sink.read().sealed.some((block) => block.hash === hash && block.slots)
  }

  let counting = false
  /** The pool sends no event when it drops a transaction, but it then holds fewer than wait here. */
  async function watchPool(waiting: readonly Hash[]): Promise<void> {
    if (waiting.length === 0 || counting) return
    counting = true
    try {
      const { pending, queued } = await provider.request({ method: 'txpool_status' })
      if (Number(pending) + Number(queued) < waiting.length) await lookUp(waiting.slice(0, LOOKUPS))
    } finally {
      counting = false
    }
  }
  /** The pool may also hold some that this page does not know, so long-waiting ones are looked up. */
  let waitingAtLastSeal = new Set<Hash>()
  async function findDropped(): Promise<void> {
    const waiting = pooledTransactions(sink.read().transactions).map((tx) => tx.hash)
    const suspects = waiting.filter((hash) => waitingAtLastSeal.has(hash)).slice(0, LOOKUPS)
    waitingAtLastSeal = new Set(waiting)
    await lookUp(suspects)
  }
  async function lookUp(suspects: readonly Hash[]): Promise<void> {
    const found = await Promise.all(
      suspects.map((hash) => provider.request({ method: 'chain_transactionStatus', params: [hash] })),
    )
    const hashes = suspects.filter((_, i) => found[i]?.status === 'Unknown')
    if (hashes.length > 0) enqueue({ kind: 'gone', hashes })
  }

  sink.commit([{ kind: 'reset' }])
  // Sent together: a Blinknet node takes calls in the order in which they arrive, so it subscribes before it reads.
  const subscribing = Promise.all([
    subscribe(provider, 'newPendingTransactions', [true], (tx) =>
      enqueue({ kind: 'pooled', tx: tx as RpcTransaction }),
    ),
    subscribe(provider, 'newPartialBlocks', ['diff'], (partial) =>
      enqueue({ kind: 'partial', partial: partial as PartialBlockDiff, arrivedAtMs: Date.now() }),
    ),
    subscribe(provider, 'newHeads', [], (header) => {
      enqueue({ kind: 'head', header })
      findDropped().catch(ignoreDisconnect)
    }),
  ])
  const [subscriptions, present] = await Promise.all([subscribing, fetchPresent(provider, undefined, sink.first)])
  for (const event of present) enqueue(event)
  fillIn(present).catch(ignoreDisconnect)
  return () => {
    stopped = true
    stop()
    for (const subscription of subscriptions) subscription.unsubscribe().catch(ignoreDisconnect)
  }
}

/**
 * Fetches the chain's current state for a page that missed events.
 *
 * @param shown - The pending block from before that.
 * @param first - The oldest block to fetch.
 */
export async function fetchPresent(
  provider: BlinknetProvider,
  shown?: FeedLiveBlock,
  first?: number,
): Promise<readonly FeedEvent[]> {
  const [blocks, pending] = await Promise.all([fetchHistory(provider, first), fetchStandingBlock(provider)])
  return [{ kind: 'history', blocks }, ...(pending ? [{ ...pending, replaces: shown }] : [])]
}

/** Whether there are blocks missing between the newest sealed block and the pending one. */
function hasGap({ live, sealed: [head] }: FeedState): boolean {
  return live !== undefined && head !== undefined && live.number > head.number + 1
}

function isIncluded(status: FeedStatus | undefined): boolean {
  return status === 'preconfirmed' || status === 'sealed'
}

/** The connection state shows when the node is gone; its subscriptions ended with it. */
function ignoreDisconnect(error: unknown): void {
  if (!(error instanceof ProviderRpcError) || error.code !== ERROR_CODES.disconnected) throw error
}

/** The current pending block; the next partial block may be far away. */
async function fetchStandingBlock(provider: BlinknetProvider): Promise<(FeedEvent & { kind: 'pending' }) | undefined> {
  const [{ live, partialMs, chainTimeMs, speed }, block, receipts] = await Promise.all([
    provider.request({ method: 'devnet_status' }),
    provider.request({ method: 'eth_getBlockByNumber', params: ['pending', true] }),
    provider.request({ method: 'eth_getBlockReceipts', params: ['pending'] }),
  ])
  if (!block) return undefined
  const sinceTickMs = Math.max(0, partialMs - (live.nextTickAtMs - chainTimeMs)) / speed
  return {
    kind: 'pending',
    block: block as RpcBlock<RpcTransaction>,
    receipts: receipts ?? [],
    counts: live.transactionsByPartial,
    arrivedAtMs: Date.now() - sinceTickMs,
  }
}

async function fetchHistory(provider: BlinknetProvider, first = 0): Promise<readonly RpcBlock<Hash>[]> {
  const newest = await provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  if (!newest) return []
  const head = Number(newest.number)
  const older = Math.max(0, Math.min(HISTORY - 1, head - first))
  const numbers = Array.from({ length: older }, (_, i) => head - 1 - i)
  const blocks = await Promise.all(
    numbers.map((number) => provider.request({ method: 'eth_getBlockByNumber', params: [toQuantity(number), false] })),
  )
  return [newest, ...blocks].filter((block) => block !== null) as readonly RpcBlock<Hash>[]
}
