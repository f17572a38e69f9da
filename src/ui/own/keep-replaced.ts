import type { BlinknetProvider } from '#client/session/provider.ts'
import { isRefusal } from '#client/session/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import { seenTransaction } from '#ui/feed/seen-transactions.ts'
import { keep, readKept } from '#ui/page/kept-text.ts'
import { identityOf } from './keep-own.ts'
import { MAX_EVENTS } from './own-history.ts'
import { parseReplaced } from './parse-replaced.ts'
import {
  forgetReplaced,
  type ReplacedTransaction,
  rememberReplaced,
  replacementIn,
  storableReplaced,
  useReplacedTransactions,
} from './replaced-transactions.ts'

/** A chain that survives a reload of its tab. */
export interface KeptChain {
  readonly provider: BlinknetProvider
  readonly chain: string
}

let reading: Promise<void> | undefined

const keyOf = ({ chain }: KeptChain) => `blinknet:replaced:${chain}`

/** Reads once what this tab stored before it was reloaded, if it was of the same chain. */
function recallOnce(kept: KeptChain): Promise<void> {
  reading ??= recall(kept)
  return reading
}

async function recall(kept: KeptChain): Promise<void> {
  const text = readKept(keyOf(kept), 'visit')
  if (text === null) return
  const { of, replaced } = parse(text)
  const all = parseReplaced(replaced)
  if (all.length > 0 && of === (await identityOf(kept.provider))) rememberReplaced(all)
}

/** Ignores anything that somebody else wrote there. */
function parse(text: string): Partial<Record<'of' | 'replaced', unknown>> {
  try {
    return Object(JSON.parse(text)) as Partial<Record<'of' | 'replaced', unknown>>
  } catch {
    return {}
  }
}

/** Keeps a transaction that another one has just taken the place of, if the page saw it wait. */
export async function noteReplaced(kept: KeptChain, hash: Hash): Promise<void> {
  await recallOnce(kept)
  const seen = seenTransaction(hash)
  const events = await eventsOf(kept.provider, hash)
  if (!seen || replacementIn(events) === undefined) return
  rememberReplaced([{ ...seen, events: events.slice(-MAX_EVENTS) }])
  const of = await identityOf(kept.provider)
  if (of !== undefined) keep(keyOf(kept), JSON.stringify({ of, replaced: storableReplaced() }), 'visit')
}

async function eventsOf(provider: BlinknetProvider, hash: Hash) {
  try {
    const told = await provider.request({ method: 'devnet_getTransactionTimeline', params: [hash] })
    return told?.events ?? []
  } catch (error) {
    // The connection state shows when the node is gone.
    if (isRefusal(error)) return []
    throw error
  }
}

/** A replaced transaction, from before a reload, too. */
export async function recallReplaced(kept: KeptChain, hash: Hash): Promise<ReplacedTransaction | undefined> {
  await recallOnce(kept)
  return useReplacedTransactions.getState().get(hash)
}

/** Forgets all of them: another chain has begun. */
export function dropReplaced(kept: KeptChain): void {
  reading = Promise.resolve()
  forgetReplaced()
  keep(keyOf(kept), null, 'visit')
}
