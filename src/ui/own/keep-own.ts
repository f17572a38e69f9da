import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { NodeSession } from '#client/session/session.ts'
import type { Hash } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { FeedStatus } from '#ui/feed/feed-state.ts'
import { liveFeed } from '#ui/feed/store.ts'
import { keep, readKept } from '#ui/page/kept-text.ts'
import { awaitHistories, historyOf, keepHistories, parseHistory, rememberHistory } from './own-history.ts'
import { MAX_OWN, type OwnTransaction, recallOwn, useOwnTransactions } from './own-transactions.ts'

/** The stored part of a transaction; the chain has the rest. */
interface Kept {
  readonly hash: Hash
  readonly events: readonly TimelineEvent[]
}

/**
 * Stores this tab's transactions across reloads, with the times that only an earlier node knew, if the chain survives a
 * reload, too. Entries of a chain with another id or genesis block are ignored.
 *
 * @returns Stops storing.
 */
export async function keepOwn({ provider, chain }: Pick<NodeSession, 'provider' | 'chain'>): Promise<() => void> {
  if (chain === undefined) return () => {}
  const key = `blinknet:own:${chain}`
  let identity = identityOf(provider)
  const save = async () => {
    const of = await identity
    const { sent } = useOwnTransactions.getState()
    const kept = sent.map(({ hash }): Kept => ({ hash, events: historyOf(hash) }))
    if (of !== undefined) keep(key, JSON.stringify({ of, sent: kept }), 'visit')
  }
  const reading = recall(provider, identity, readKept(key, 'visit'))
  awaitHistories(reading)
  const earlier = await reading
  if (earlier.length > 0) recallOwn(earlier)
  await save()
  const stopSaving = useOwnTransactions.subscribe(({ sent, hashes }) => {
    keepHistories(hashes)
    // Own transactions are all forgotten when another chain replaces this one.
    if (sent.length === 0) identity = identityOf(provider)
    void save()
  })
  const stopFollowing = followHistories(provider, save)
  return () => {
    stopSaving()
    stopFollowing()
  }
}

/** Chain id and genesis block in one text; `undefined` while no node answers. */
export async function identityOf(provider: BlinknetProvider): Promise<string | undefined> {
  return unlessRefused(async () => {
    const [id, genesis] = await Promise.all([
      provider.request({ method: 'eth_chainId' }),
      provider.request({ method: 'eth_getBlockByNumber', params: ['0x0', false] }),
    ])
    return `${id} ${genesis?.hash}`
  })
}

async function recall(
  provider: BlinknetProvider,
  identity: Promise<string | undefined>,
  text: string | null,
): Promise<readonly OwnTransaction[]> {
  const kept = parse(text)
  if (kept.sent.length === 0 || kept.of !== (await identity)) return []
  for (const { hash, events } of kept.sent) rememberHistory(hash, events)
  const found = await unlessRefused(() =>
    Promise.all(kept.sent.map(({ hash }) => provider.request({ method: 'eth_getTransactionByHash', params: [hash] }))),
  )
  return (found ?? []).flatMap((tx) =>
    tx ? [{ hash: tx.hash, from: tx.from, to: tx.to, value: BigInt(tx.value) }] : [],
  )
}

/** Fetches the history of each own transaction after each of its steps. Returns a function that stops this. */
function followHistories(provider: BlinknetProvider, save: () => Promise<void>): () => void {
  const statuses = new Map<Hash, FeedStatus>()
  return liveFeed.subscribe(({ transactions }) => {
    const { sent } = useOwnTransactions.getState()
    for (const { hash } of sent) {
      const status = transactions.get(hash)?.status
      if (status === undefined || statuses.get(hash) === status) continue
      statuses.set(hash, status)
      void refresh(hash)
    }
    if (statuses.size > 2 * MAX_OWN) statuses.clear()
  })

  async function refresh(hash: Hash): Promise<void> {
    const told = await unlessRefused(() =>
      provider.request({ method: 'devnet_getTransactionTimeline', params: [hash] }),
    )
    // A restarted node lacks the earlier history, which is stored already.
    if (!told?.events.some(({ kind }) => kind === 'received')) return
    rememberHistory(hash, told.events)
    await save()
  }
}

async function unlessRefused<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await ask()
  } catch (error) {
    // The connection state shows when the node is gone; other kinds of chains have no histories.
    if (error instanceof ProviderRpcError) return undefined
    throw error
  }
}

/** Ignores anything that somebody else wrote there. */
function parse(text: string | null): { readonly of: unknown; readonly sent: readonly Kept[] } {
  try {
    const { of, sent } = JSON.parse(text ?? '{}') as { readonly of?: unknown; readonly sent?: unknown }
    return { of, sent: Array.isArray(sent) ? sent.slice(0, MAX_OWN).flatMap(parseKept) : [] }
  } catch {
    return { of: undefined, sent: [] }
  }
}

function parseKept(value: unknown): readonly Kept[] {
  if (typeof value !== 'object' || value === null) return []
  const { hash, events } = value as { readonly hash?: unknown; readonly events?: unknown }
  return isHash(hash) ? [{ hash, events: parseHistory(events) ?? [] }] : []
}

function isHash(value: unknown): value is Hash {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)
}
