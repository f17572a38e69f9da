import { type Address, toQuantity } from '#primitives/hex.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { Fork } from './fork.ts'
import { ForkError } from './fork-error.ts'
import type { JoinedMethod } from './routes.ts'
import { lacksMethod, numberIn, requireNotLater } from './settled-answers.ts'

/** What answers the parts of a call. */
interface Sides {
  /** Answers the same method from this chain. @throws As the method does. */
  readonly own: (args: readonly unknown[]) => Promise<unknown>
  /** Asks the endpoint. @throws {ForkError} */
  readonly ask: (method: MethodName, params: readonly unknown[]) => Promise<unknown>
  /** Asks the endpoint for what may be in a later block, or in none: the answer is not kept. @throws {ForkError} */
  readonly look: (method: MethodName, params: readonly unknown[]) => Promise<unknown>
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
export const JOINED: Readonly<Record<JoinedMethod, Join>> = {
  async trace_filter(fork, args, { own, ask, numberOf }) {
    const [filter] = args
    if (typeof filter !== 'object' || filter === null) return own(args)
    const forkedAt = fork.header.header.number
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
    requireNotLater(fork, 'trace_filter', older)
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
    const older = upTo(forkedAt, pageOf(await ask('ots_searchTransactionsBefore', params), remote.name))
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
    const older = upTo(forkedAt, page)
    const isComplete = page.firstPage || older.txs.length < page.txs.length
    if (!isComplete) return { ...older, firstPage: false, lastPage: at === 0 }
    const left = most - older.txs.length
    const newer = (await own([account, forkedAt, Math.max(1, left)])) as Page
    if (left <= 0) return { ...older, firstPage: newer.txs.length === 0, lastPage: at === 0 }
    return joinPages(newer, older, { firstPage: newer.firstPage, lastPage: at === 0 })
  },

  async ots_getTransactionBySenderAndNonce(fork, args, sides) {
    return (await sides.own(args)) ?? (await hashBySender(fork, args, sides))
  },

  async eth_getTransactionBySenderAndNonce(fork, args, sides) {
    const method = 'eth_getTransactionBySenderAndNonce'
    const found = await sides.own(args)
    if (found !== null) return found
    try {
      const tx = await sides.ask(method, args)
      return isBefore(fork, method, tx) ? tx : null
    } catch (error) {
      if (!lacksMethod(error)) throw error
      const hash = await hashBySender(fork, args, sides)
      return hash === null ? null : sides.ask('eth_getTransactionByHash', [hash])
    }
  },

  async ots_getContractCreator(fork, args, sides) {
    const { own, look } = sides
    const found = await own(args)
    if (found !== null) return found
    const [account] = args as readonly [Address]
    const hadCode = await fork.complete(() => fork.block.state.code(account.toLowerCase() as Address).length > 0)
    if (!hadCode) return null
    const creation = (await look('ots_getContractCreator', args)) as { readonly hash?: unknown } | null
    // Code that was there may have been created once more since.
    const isThen = creation !== null && (await isHashBefore(fork, creation.hash, sides))
    return isThen ? keep(fork, 'ots_getContractCreator', args, creation) : null
  },
}

/** The hash of a sender's transaction before the fork; `null` if there is none. @throws {ForkError} */
async function hashBySender(fork: Fork, args: readonly unknown[], sides: Sides): Promise<unknown> {
  const hash = await sides.look('ots_getTransactionBySenderAndNonce', args)
  // The other chain may have sealed it after the fork.
  const isThen = hash !== null && (await isHashBefore(fork, hash, sides))
  return isThen ? keep(fork, 'ots_getTransactionBySenderAndNonce', args, hash) : null
}

async function isHashBefore(fork: Fork, hash: unknown, { ask }: Sides): Promise<boolean> {
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) {
    throw new ForkError(`${fork.remote.name} answers with what is no hash of a transaction`)
  }
  return isBefore(fork, 'eth_getTransactionByHash', await ask('eth_getTransactionByHash', [hash]))
}

/** Whether a transaction was before the fork. @throws {ForkError} If it does not say. */
function isBefore(fork: Fork, method: MethodName, tx: unknown): boolean {
  const number = numberIn(fork, method, tx)
  return number !== undefined && number <= fork.header.header.number
}

function keep(fork: Fork, method: MethodName, args: readonly unknown[], answer: unknown): unknown {
  fork.answers.put(method, args, answer)
  return answer
}

/** What a page has up to a block. */
function upTo(last: number, page: Page): Page {
  const isThen = (_: unknown, i: number) => (countOf(page.txs[i]?.blockNumber) ?? Number.NaN) <= last
  return { ...page, txs: page.txs.filter(isThen), receipts: page.receipts.filter(isThen) }
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
