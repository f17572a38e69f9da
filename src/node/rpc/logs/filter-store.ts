import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import type { Hash, Hex } from '#primitives/hex.ts'
import type { RpcLog, RpcTransaction } from '#rpc-types/objects.ts'
import type { Block, IncludedTransaction } from '../../payload/block.ts'
import type { ChainEvents } from '../../sequencer/events.ts'
import type { Transaction } from '../../tx/transaction.ts'
import { RpcRefusedError } from '../errors.ts'
import { formatLog, type PlacedLog } from '../format/receipt.ts'
import { formatPooled } from '../format/transaction.ts'
import { IdSequence } from '../ids.ts'
import { charactersOf } from './find-logs.ts'
import { countCriteria, type LogQuery } from './log-filter-params.ts'
import { createLogSelector, type LiveRange, type LogSelector, liveRange, selectLogs } from './log-selector.ts'

/** Milliseconds without a poll after which a filter is removed, as in geth. */
export const FILTER_LIFETIME_MS = 5 * 60_000
/**
 * Most filters of the node. To make room, the client with the most loses the one it has not polled for longest, so that
 * nobody can use them up for others.
 */
export const MAX_FILTERS = 1_000
/** Most addresses and topics of all filters: 100 MB. */
export const MAX_CRITERIA = 1_000_000
/** Most characters of logs per poll; the rest comes with the next poll. */
export const MAX_POLL_CHARACTERS = 64 * 1024 * 1024
/** Most changes that a filter keeps for its next poll. */
export const MAX_CHANGES = 10_000

/** One change in a poll's answer. */
export type FilterChange = Hash | RpcTransaction | RpcLog

/** Logs are kept as references and formatted at the poll. */
type Filter =
  | {
      readonly kind: 'logs'
      readonly query: LogQuery
      readonly range: LiveRange
      readonly selector: LogSelector
      readonly changes: (PlacedLog & { readonly removed: boolean })[]
    }
  | { readonly kind: 'blocks'; readonly changes: Hash[] }
  | { readonly kind: 'transactions'; readonly full: boolean; readonly changes: Transaction[] }

interface Entry {
  readonly filter: Filter
  /** The client that made the filter. */
  readonly client: object
  readonly criteria: number
  usedAtMs: number
  /** There were too many changes; the next poll reports that and ends the filter. */
  overflown: boolean
}

/** The filters of a node, from all connections. */
export class FilterStore {
  readonly #clock: Clock
  readonly #ids: IdSequence
  /** In order of their last polls, the oldest first. */
  readonly #entries = new Map<string, Entry>()
  /** Number of filters of each client. */
  readonly #counts = new Map<object, number>()
  #criteria = 0

  constructor({ events, clock }: { readonly events: Emitter<ChainEvents>; readonly clock: Clock }) {
    this.#clock = clock
    this.#ids = new IdSequence(clock)
    events.on('accepted', ({ tx }) => {
      this.#publish((filter) => (filter.kind === 'transactions' ? add(filter.changes, [tx]) : true))
    })
    events.on('partial', ({ partial }) => {
      const fresh = partial.transactions.slice(partial.firstNew)
      this.#publish((filter) => addLogs(filter, partial, fresh, (range) => range.preconfirmed))
    })
    events.on('unconfirmed', ({ block, transactions }) => {
      this.#publish((filter) => addLogs(filter, block, transactions, (range) => range.preconfirmed, true))
    })
    events.on('seal', ({ block, restored = false }) => {
      this.#publish((filter) => {
        if (filter.kind === 'blocks') return add(filter.changes, [block.hash])
        return addLogs(filter, block, block.transactions, (range) => restored || !range.preconfirmed)
      })
    })
    events.on('reorg', ({ removed }) => {
      this.#publish((filter) => removed.every((block) => addLogs(filter, block, block.transactions, () => true, true)))
    })
  }

  /**
   * Adds a filter for future logs. Returns its id.
   *
   * @throws {RpcRefusedError} `invalid-params` for a range without future blocks.
   */
  addLogs(query: LogQuery, client: object): Hex {
    const range = liveRange(query)
    return this.#add({ kind: 'logs', query, range, selector: createLogSelector(query, range), changes: [] }, client)
  }

  /** Adds a filter for the hashes of sealed blocks. Returns its id. */
  addBlocks(client: object): Hex {
    return this.#add({ kind: 'blocks', changes: [] }, client)
  }

  /** Adds a filter for pooled transactions. Returns its id. */
  addTransactions(full: boolean, client: object): Hex {
    return this.#add({ kind: 'transactions', full, changes: [] }, client)
  }

  /**
   * Changes since the filter's last poll, oldest first.
   *
   * @throws {RpcRefusedError} `server` if there is no such filter.
   */
  poll(id: string): readonly FilterChange[] {
    const { filter } = this.#use(id)
    switch (filter.kind) {
      case 'logs':
        return filter.changes
          .splice(0, countWithin(filter.changes, MAX_POLL_CHARACTERS))
          .map(({ removed, ...placed }) => formatLog(placed, removed))
      case 'blocks':
        return filter.changes.splice(0)
      case 'transactions':
        return filter.changes.splice(0).map((tx) => (filter.full ? formatPooled(tx) : tx.hash))
      default:
        return unknownFilter(filter)
    }
  }

  /**
   * The query of a log filter.
   *
   * @throws {RpcRefusedError} `server` if there is no such filter, or it is not for logs.
   */
  query(id: string): LogQuery {
    const { filter } = this.#use(id)
    if (filter.kind !== 'logs') throw notFound()
    return filter.query
  }

  /** Removes a filter; `false` if it does not exist. */
  remove(id: string): boolean {
    this.#expire()
    return this.#delete(id)
  }

  #add(filter: Filter, client: object): Hex {
    this.#expire()
    const criteria = filter.kind === 'logs' ? countCriteria(filter.query) : 0
    while (this.#entries.size >= MAX_FILTERS || this.#criteria + criteria > MAX_CRITERIA) this.#evict()
    const id = this.#ids.next()
    this.#entries.set(id, { filter, client, criteria, usedAtMs: this.#clock.now(), overflown: false })
    this.#counts.set(client, (this.#counts.get(client) ?? 0) + 1)
    this.#criteria += criteria
    return id
  }

  #delete(id: string): boolean {
    const entry = this.#entries.get(id)
    if (!entry) return false
    this.#entries.delete(id)
    this.#criteria -= entry.criteria
    const left = (this.#counts.get(entry.client) ?? 0) - 1
    if (left > 0) this.#counts.set(entry.client, left)
    else this.#counts.delete(entry.client)
    return true
  }

  /** Removes a filter of the client with the most: the one not polled for longest. */
  #evict(): void {
    const most = Math.max(...this.#counts.values())
    for (const [id, { client }] of this.#entries) {
      if (this.#counts.get(client) !== most) continue
      this.#delete(id)
      return
    }
  }

  #use(id: string): Entry {
    this.#expire()
    const entry = this.#entries.get(id)
    if (!entry) throw notFound()
    if (entry.overflown) {
      this.#delete(id)
      throw notFound(`: over ${MAX_CHANGES} changes came between two polls`)
    }
    entry.usedAtMs = this.#clock.now()
    // Moves it to the end of the order.
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    return entry
  }

  /** @param take - Adds relevant changes to a filter; `false` if that is too much. */
  #publish(take: (filter: Filter) => boolean): void {
    this.#expire()
    for (const entry of this.#entries.values()) {
      if (entry.overflown || take(entry.filter)) continue
      entry.overflown = true
      entry.filter.changes.length = 0
    }
  }

  #expire(): void {
    if (this.#entries.size === 0) return
    const oldest = this.#clock.now() - FILTER_LIFETIME_MS
    for (const [id, { usedAtMs }] of this.#entries) {
      if (usedAtMs > oldest) return
      this.#delete(id)
    }
  }
}

function addLogs(
  filter: Filter,
  block: Block,
  transactions: readonly IncludedTransaction[],
  wanted: (range: LiveRange) => boolean,
  removed = false,
): boolean {
  if (filter.kind !== 'logs' || !wanted(filter.range)) return true
  const logs = selectLogs(block, transactions, filter.selector).map((placed) => ({ ...placed, removed }))
  // Removed logs come in reverse order.
  return add(filter.changes, removed ? logs.toReversed() : logs)
}

function add<Change>(changes: Change[], more: readonly Change[]): boolean {
  if (changes.length + more.length > MAX_CHANGES) return false
  changes.push(...more)
  return true
}

/** How many logs, from the first, fit into a number of characters; at least one. */
function countWithin(logs: readonly PlacedLog[], characters: number): number {
  let left = characters
  const end = logs.findIndex(({ log }, i) => {
    left -= charactersOf(log)
    return left < 0 && i > 0
  })
  return end === -1 ? logs.length : end
}

function notFound(detail = ''): RpcRefusedError {
  return new RpcRefusedError('server', `filter not found${detail}`)
}

/** Does not compile while a kind of filter cannot be polled. */
function unknownFilter(filter: never): never {
  throw new TypeError(`no answer for the filter ${JSON.stringify(filter)}`)
}
