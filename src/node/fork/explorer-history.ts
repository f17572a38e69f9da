import { type Address, toQuantity } from '#primitives/hex.ts'
import type { Fork } from './fork.ts'
import { ForkError } from './fork-error.ts'

/** What answers the parts of a call. */
interface Sides {
  /** Answers the same method from this chain. @throws As the method does. */
  readonly own: (args: readonly unknown[]) => Promise<unknown>
  /** Asks the endpoint. @throws {ForkError} */
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>
  /** Number of the block that a caller names; `undefined` for the live one, and for what is no block. */
  readonly numberOf: (ref: unknown) => number | undefined
}

/** A page of `ots_searchTransactionsBefore` and `…After`, newest first. */
interface Page {
  readonly txs: readonly { readonly blockNumber: unknown }[]
  readonly receipts: readonly unknown[]
  readonly firstPage: boolean
  readonly lastPage: boolean
}

type Join = (fork: Fork, args: readonly unknown[], sides: Sides) => Promise<unknown>

/**
 * Methods that look through blocks, from before and after the fork. What the endpoint does not have is its error, with its
 * name: few have `ots_`.
 */
export const JOINED: Readonly<Record<string, Join>> = {
  async trace_filter({ header }, args, { own, ask, numberOf }) {
    const [filter] = args
    if (typeof filter !== 'object' || filter === null) return own(args)
    const forkedAt = header.header.number
    const { fromBlock, toBlock, after, count, ...rest } = filter as Readonly<Record<string, unknown>>
    const [from, to] = [numberOf(fromBlock ?? 'earliest'), numberOf(toBlock ?? 'latest')]
    if (from === undefined || from > forkedAt || (to !== undefined && to < from)) return own(args)
    const skipped = countOf(after) ?? 0
    const wanted = countOf(count)
    const end = wanted === undefined ? undefined : skipped + wanted
    const limit = (known: number) => (end === undefined ? {} : { count: Math.max(0, end - known) })
    const isOver = to !== undefined && to <= forkedAt
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(isOver ? to : forkedAt) }
    const older = ((await ask('trace_filter', [{ ...rest, ...range, ...limit(0) }])) ?? []) as readonly unknown[]
    const isFull = end !== undefined && older.length >= end
    const since = { fromBlock: toQuantity(forkedAt + 1), ...(toBlock !== undefined && { toBlock }) }
    const newer =
      isOver || isFull ? [] : ((await own([{ ...rest, ...since, ...limit(older.length) }])) as readonly unknown[])
    return [...older, ...newer].slice(skipped, end)
  },

  async ots_searchTransactionsBefore({ header, remote }, args, { own, ask }) {
    const [account, before, size] = args
    const forkedAt = header.header.number
    const [at, most] = [countOf(before), countOf(size)]
    if (at === undefined || most === undefined) return own(args)
    const isAllOlder = at !== 0 && at <= forkedAt + 1
    const newer = isAllOlder ? undefined : ((await own(args)) as Page)
    if (newer && !newer.lastPage) return newer
    const left = most - (newer?.txs.length ?? 0)
    // What is left may be nothing; whether there is more, only the endpoint knows.
    const params = [account, isAllOlder ? at : forkedAt + 1, Math.max(1, left)]
    const older = pageOf(await ask('ots_searchTransactionsBefore', params), remote.name)
    if (newer && left <= 0) return { ...newer, lastPage: older.txs.length === 0 && older.lastPage }
    return joinPages(newer, older, { firstPage: newer?.firstPage ?? false, lastPage: older.lastPage })
  },

  async ots_searchTransactionsAfter({ header, remote }, args, { own, ask }) {
    const [account, after, size] = args
    const forkedAt = header.header.number
    const [at, most] = [countOf(after), countOf(size)]
    if (at === undefined || most === undefined || at >= forkedAt) return own(args)
    const page = pageOf(await ask('ots_searchTransactionsAfter', [account, at, most]), remote.name)
    // The other chain has gone on.
    const isOlder = (_: unknown, i: number) => (countOf(page.txs[i]?.blockNumber) ?? Number.NaN) <= forkedAt
    const older = { ...page, txs: page.txs.filter(isOlder), receipts: page.receipts.filter(isOlder) }
    const isComplete = page.firstPage || older.txs.length < page.txs.length
    if (!isComplete) return { ...older, firstPage: false, lastPage: at === 0 }
    const left = most - older.txs.length
    const newer = (await own([account, forkedAt, Math.max(1, left)])) as Page
    if (left <= 0) return { ...older, firstPage: newer.txs.length === 0, lastPage: at === 0 }
    return joinPages(newer, older, { firstPage: newer.firstPage, lastPage: at === 0 })
  },

  async ots_getTransactionBySenderAndNonce({ header }, args, { own, ask }) {
    const found = await own(args)
    if (found !== null) return found
    const hash = await ask('ots_getTransactionBySenderAndNonce', args)
    if (hash === null) return null
    // The other chain may have sealed it after the fork.
    const tx = (await ask('eth_getTransactionByHash', [hash])) as { readonly blockNumber?: unknown } | null
    return (countOf(tx?.blockNumber) ?? Number.NaN) <= header.header.number ? hash : null
  },

  async ots_getContractCreator(fork, args, { own, ask }) {
    const found = await own(args)
    if (found !== null) return found
    const [account] = args as readonly [Address]
    const hadCode = await fork.complete(() => fork.block.state.code(account.toLowerCase() as Address).length > 0)
    return hadCode ? ask('ots_getContractCreator', args) : null
  },

  async ots_hasCode({ header }, args, { own, ask, numberOf }) {
    const number = numberOf(args[1])
    if (number === undefined || number >= header.header.number) return own(args)
    return (await ask('eth_getCode', [args[0], toQuantity(number)])) !== '0x'
  },
}

function joinPages(newer: Page | undefined, older: Page, ends: Pick<Page, 'firstPage' | 'lastPage'>): Page {
  return {
    txs: [...(newer?.txs ?? []), ...older.txs],
    receipts: [...(newer?.receipts ?? []), ...older.receipts],
    ...ends,
  }
}

/** @throws {ForkError} If it is none. */
function pageOf(answer: unknown, endpoint: string): Page {
  const { txs, receipts, firstPage, lastPage } = (answer ?? {}) as Partial<Page>
  const isPage = Array.isArray(txs) && Array.isArray(receipts) && txs.length === receipts.length
  if (isPage && txs.every((tx) => typeof tx === 'object' && tx !== null)) {
    return { txs, receipts, firstPage: firstPage === true, lastPage: lastPage === true }
  }
  throw new ForkError(`${endpoint} answers with what is no page of transactions`)
}

/** A whole number, as one or as text; `undefined` if it is none. */
function countOf(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || !/^(?:0x[0-9a-f]+|\d+)$/i.test(value)))
    return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
