import type { Capabilities } from '#client/session/capabilities.ts'
import { type BlinknetProvider, ProviderRpcError, unlessRefused } from '#client/session/provider.ts'
import { type FollowedSubscription, subscribe, subscribeRaw } from '#client/session/subscribe.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { FeedSink } from './connect-feed.ts'
import type { FeedEvent } from './reducer.ts'
import { pooledTransactions } from './selectors.ts'

type FullBlock = RpcBlock<RpcTransaction>

/** How many sealed blocks are fetched at the start and after a gap. */
const HISTORY = 8
/** How many waiting transactions are looked up at a new block, since nobody reports dropped ones. */
const LOOKUPS = 20
/**
 * Milliseconds between two polls: of a chain with partial blocks, of one without, and of one that pushes its blocks.
 */
const INTERVALS_MS = { partials: 250, plain: 1_000, pushed: 4_000 }
/** The largest share of the time spent on polls. */
const BUSY_SHARE = 0.5

/**
 * Follows a chain into the store by polling its newest sealed block and its pending block, at intervals and after each
 * pushed event.
 *
 * @param onUseless - The chain refuses to answer; `message` is its own.
 * @returns Stops following.
 * @throws {ProviderRpcError} If the connection is lost before the first answers, or the chain refuses them.
 */
export async function connectPolledFeed(
  provider: BlinknetProvider,
  { preconfirms, partialBlocks, pushes, devnet }: Capabilities,
  sink: FeedSink,
  onUseless: (message: string) => void,
): Promise<() => void> {
  const intervalMs =
    preconfirms && partialBlocks === 'none' ? INTERVALS_MS.partials : INTERVALS_MS[pushes ? 'pushed' : 'plain']
  let connected = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let polling = false
  /** Whether an event arrived since the last poll started. */
  let stale = false

  async function poll(): Promise<void> {
    const [latest, pending, index] = await Promise.all([
      provider.request({ method: 'eth_getBlockByNumber', params: ['latest', true] }),
      unlessRefused(provider.request({ method: 'eth_getBlockByNumber', params: ['pending', true] })),
      devnet ? provider.request({ method: 'devnet_status' }).then(({ live }) => live) : undefined,
    ])
    if (!connected || !latest) return
    const events: FeedEvent[] = (await newBlocks(latest as FullBlock)).map((block) => ({ kind: 'block', block }))
    const next = pending && Number(pending.number) > Number(latest.number) ? (pending as FullBlock) : undefined
    const receipts =
      preconfirms && next && next.transactions.length > 0
        ? await unlessRefused(provider.request({ method: 'eth_getBlockReceipts', params: ['pending'] }))
        : undefined
    events.push({
      kind: 'polled',
      block: next ?? emptyBlock(latest as FullBlock),
      receipts: preconfirms ? receiptsOf(next, receipts) : undefined,
      index: index && next && Number(index.number) === Number(next.number) ? index.index : undefined,
      arrivedAtMs: Date.now(),
    })
    if (!connected) return
    const isNew = sink.read().sealed[0]?.hash !== latest.hash
    sink.commit(events)
    if (isNew) await findDropped()
  }

  /** The sealed blocks missing in the store, oldest first. */
  async function newBlocks(latest: FullBlock): Promise<readonly FullBlock[]> {
    const head = Number(latest.number)
    const known = sink.read().sealed[0]
    if (known?.hash === latest.hash) return []
    const first = Math.max(0, head - HISTORY + 1, known && known.number < head ? known.number + 1 : 0)
    const numbers = Array.from({ length: head - first }, (_, i) => first + i)
    const missed = await Promise.all(
      numbers.map((number) => provider.request({ method: 'eth_getBlockByNumber', params: [toQuantity(number), true] })),
    )
    return [...(missed.filter((block) => block !== null) as readonly FullBlock[]), latest]
  }

  async function findDropped(): Promise<void> {
    const live = new Set(sink.read().live?.slots.flatMap((slot) => slot.transactions.map((tx) => tx.hash)))
    const suspects = pooledTransactions(sink.read().transactions)
      .map((tx) => tx.hash)
      .filter((hash) => !live.has(hash))
      .slice(0, LOOKUPS)
    const found = await Promise.all(
      suspects.map((hash) => provider.request({ method: 'eth_getTransactionByHash', params: [hash] })),
    )
    const hashes: Hash[] = suspects.filter((_, i) => found[i] === null)
    if (connected && hashes.length > 0) sink.commit([{ kind: 'gone', hashes }])
  }

  async function run(): Promise<void> {
    clearTimeout(timer)
    stale = polling
    if (polling || !connected) return
    polling = true
    const startedAtMs = Date.now()
    try {
      await poll()
    } catch (error) {
      stop()
      // The session knows about a lost connection, and follows again after the next one.
      const isLost = error instanceof ProviderRpcError && error.code === ERROR_CODES.disconnected
      if (!isLost) onUseless(error instanceof Error ? error.message : String(error))
      return
    } finally {
      polling = false
    }
    if (!connected) return
    const tookMs = Date.now() - startedAtMs
    timer = setTimeout(() => void run(), stale ? tookMs : Math.max(intervalMs, tookMs / BUSY_SHARE))
  }

  const subscriptions: FollowedSubscription[] = []
  function stop(): void {
    connected = false
    clearTimeout(timer)
    for (const subscription of subscriptions) {
      // Ending one only fails if the connection is lost, and the subscription with it.
      subscription.unsubscribe().catch(() => {})
    }
  }

  sink.commit([{ kind: 'reset' }])
  if (pushes) subscriptions.push(await subscribe(provider, 'newHeads', [], () => void run()))
  if (partialBlocks === 'blocks') {
    // If the chain ends it, the intervals remain.
    subscriptions.push(
      await subscribeRaw(
        provider,
        ['newFlashblocks'],
        () => void run(),
        () => {},
      ),
    )
  }
  await run()
  return stop
}

/** An empty block after `head`, for a chain without a pending block. */
function emptyBlock(head: FullBlock): FullBlock {
  return {
    ...head,
    number: toQuantity(BigInt(head.number) + 1n),
    parentHash: head.hash,
    transactions: [],
    gasUsed: '0x0',
  }
}

/** Receipts of the block's own transactions: the block may have grown between the two calls. */
function receiptsOf(block: FullBlock | undefined, receipts: readonly RpcReceipt[] | null | undefined) {
  const own = new Set(block?.transactions.map((tx) => tx.hash))
  return (receipts ?? []).filter((receipt) => own.has(receipt.transactionHash))
}
