import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { subscribe } from '#client/session/subscribe.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { batchEvents, type Sight } from './batch-events.ts'
import type { FeedState, Stage } from './feed-state.ts'
import { fetchContents, fetchWaiting } from './fetch-contents.ts'
import type { FeedEvent } from './reducer.ts'
import { pooledTransactions } from './selectors.ts'

/** Sealed blocks fetched from before the subscription. */
const HISTORY = 8
/** Waiting transactions looked up at once, to find those that the pool has dropped. */
const LOOKUPS = 50

/** The store, as the feed sees it. */
export interface FeedSink {
  read(): FeedState
  commit(events: readonly FeedEvent[]): void
  /** Whether anybody can see what is committed; without it, somebody always can. */
  readonly sight?: Sight
}

/**
 * Follows the chain into the store: at most one commit for each partial block.
 *
 * @returns Stops following.
 * @throws {ProviderRpcError} If a subscription is refused or the node is gone.
 */
export async function connectFeed(provider: BlinknetProvider, sink: FeedSink): Promise<() => void> {
  let filling = false
  const { enqueue, stop } = batchEvents(commit, sink.sight)

  function commit(events: readonly FeedEvent[]): void {
    const before = sink.read()
    sink.commit(events)
    const after = sink.read()
    const waiting = pooledTransactions(after.transactions).map((tx) => tx.hash)
    const withdrawn = waiting.some((hash) => isIncluded(before.transactions.get(hash)?.stage))
    // They wait again, or are lost, and only the node knows.
    if (withdrawn || after.reorgs !== before.reorgs) lookUp(waiting).catch(ignoreDisconnect)
    const isUnseen = events.some(({ kind }) => kind === 'head') && after.sealed[0]?.transactionCount === undefined
    if ((hasGap(after) || isUnseen) && !filling) fillGap().catch(ignoreDisconnect)
    if (events.some(({ kind }) => kind === 'partial')) watchPool(waiting).catch(ignoreDisconnect)
  }
  /** Blocks were sealed while nobody told, or nobody told what is in them: the node changed, or this page is new. */
  async function fillGap(): Promise<void> {
    filling = true
    try {
      const blocks = await fetchHistory(provider)
      enqueue({ kind: 'history', blocks })
      for (const event of await fetchContents(provider, blocks.filter(isNotDrawn))) enqueue(event)
    } finally {
      filling = false
    }
  }

  /** Events from before this page listened; nothing waits for them. */
  async function fillIn(present: readonly FeedEvent[]): Promise<void> {
    const blocks = present.flatMap((event) => (event.kind === 'history' ? event.blocks : []))
    const [contents, waiting] = await Promise.all([fetchContents(provider, blocks), fetchWaiting(provider)])
    for (const event of [...contents, ...waiting]) enqueue(event)
  }
  /** Those that this page followed are drawn as they came. */
  function isNotDrawn({ hash }: RpcBlock<Hash>): boolean {
    return !sink.read().sealed.some((block) => block.hash === hash && block.slots)
  }

  let counting = false
  /** The pool says nothing when it drops a transaction, but it then holds fewer than wait here. */
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
  /** It may also hold some that this page has not heard of; so those that wait for long are looked up. */
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
  const subscriptions = await Promise.all([
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
  const present = await fetchPresent(provider)
  for (const event of present) enqueue(event)
  fillIn(present).catch(ignoreDisconnect)
  return () => {
    stop()
    for (const subscription of subscriptions) subscription.unsubscribe().catch(ignoreDisconnect)
  }
}

/** Fetches the chain's present, for a page that missed events. */
export async function fetchPresent(provider: BlinknetProvider): Promise<readonly FeedEvent[]> {
  const [blocks, pending] = await Promise.all([fetchHistory(provider), fetchStandingBlock(provider)])
  return [{ kind: 'history', blocks }, ...(pending ? [pending] : [])]
}

/** Whether the pending block does not follow the newest sealed one. */
function hasGap({ live, sealed: [head] }: FeedState): boolean {
  return live !== undefined && head !== undefined && live.number > head.number + 1
}

function isIncluded(stage: Stage | undefined): boolean {
  return stage === 'preconfirmed' || stage === 'sealed'
}

/** A node that is gone shows in the connection state, and its subscriptions went with it. */
function ignoreDisconnect(error: unknown): void {
  if (!(error instanceof ProviderRpcError) || error.code !== ERROR_CODES.disconnected) throw error
}

/** The pending block as it stands: the next partial block may be far away, and is not worth waiting for. */
async function fetchStandingBlock(provider: BlinknetProvider): Promise<FeedEvent | undefined> {
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

async function fetchHistory(provider: BlinknetProvider): Promise<readonly RpcBlock<Hash>[]> {
  const head = Number(await provider.request({ method: 'eth_blockNumber' }))
  const numbers = Array.from({ length: Math.min(HISTORY, head + 1) }, (_, i) => head - i)
  const blocks = await Promise.all(
    numbers.map((number) => provider.request({ method: 'eth_getBlockByNumber', params: [toQuantity(number), false] })),
  )
  return blocks.filter((block) => block !== null) as readonly RpcBlock<Hash>[]
}
