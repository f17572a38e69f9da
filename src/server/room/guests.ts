import { RpcRefusedError } from '#node/rpc/errors.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { MAX_TOLD_IN_BEAT, ROOM_MARKS, type RoomGuest, type RoomGuests } from '#rpc-types/methods/room.ts'
import { MAX_GUESTS, MAX_GUESTS_TOLD } from './limits.ts'

/** Newest reports of a guest that are kept. */
const KEPT_REPORTS = 15
/** Newest transactions of a guest that are kept. */
const KEPT_HASHES = 16
/** Milliseconds over which the rate is measured. */
const RATE_OVER_MS = 5_000

/** A guest who has joined. */
export interface GuestEntry {
  readonly number: number
  readonly mark: number
  name: string
  readonly address: Address
  /** Whoever knows it may join with this address again, from another connection. */
  readonly secret: Hex
  /** Open connections that have joined with this address. */
  connections: number
  /** When the last of them ended, in milliseconds. */
  leftAt: number
  sent: number
  /** Milliseconds, oldest first. */
  readonly reports: number[]
  /** Own transactions and when they were first pre-confirmed, oldest first. */
  readonly preconfirmed: { readonly hash: Hash; readonly atMs: number; reported: boolean }[]
}

/** A pre-confirmed transaction, as far as the room needs it. */
export interface SeenTransaction {
  readonly hash: Hash
  readonly from: Address
  readonly nonce: number
}

/** Guests who have joined, and what became of their transactions. Times are milliseconds of a clock. */
export class Guests {
  /** In the order in which they joined. */
  readonly #byAddress = new Map<Address, GuestEntry>()
  /** How many transactions of guests were pre-confirmed, and when; oldest first. */
  readonly #rate: { readonly at: number; readonly count: number }[] = []
  readonly #onForgotten: (address: Address) => void
  #joined = 0

  /** @param onForgotten - Called with the address of a guest that has made place for another. */
  constructor(onForgotten: (address: Address) => void = () => {}) {
    this.#onForgotten = onForgotten
  }

  get size(): number {
    return this.#byAddress.size
  }

  at(address: Address): GuestEntry | undefined {
    return this.#byAddress.get(address)
  }

  /**
   * A new guest, without a connection.
   *
   * @throws {RpcRefusedError} If the room is full and every guest is connected.
   */
  add(name: string, address: Address, secret: Hex): GuestEntry {
    if (this.#byAddress.size >= MAX_GUESTS) this.#forgetOne()
    const number = ++this.#joined
    const mark = (number - 1) % ROOM_MARKS
    const news = { connections: 0, leftAt: 0, sent: 0, reports: [], preconfirmed: [] }
    const guest = { number, mark, name, address, secret, ...news }
    this.#byAddress.set(address, guest)
    return guest
  }

  #forgetOne(): void {
    let longestGone: GuestEntry | undefined
    for (const guest of this.#byAddress.values()) {
      if (guest.connections === 0 && (!longestGone || guest.leftAt < longestGone.leftAt)) longestGone = guest
    }
    if (!longestGone) {
      throw new RpcRefusedError('limit-exceeded', `the room is full: ${MAX_GUESTS} guests are here`)
    }
    this.#byAddress.delete(longestGone.address)
    this.#onForgotten(longestGone.address)
  }

  /**
   * Takes note of pre-confirmed transactions.
   *
   * @returns The numbers of the guests who sent them, as a `RoomBeat` has them.
   */
  preconfirmed(transactions: readonly SeenTransaction[], now: number): readonly number[] {
    const numbers: number[] = []
    let count = 0
    for (const { hash, from, nonce } of transactions) {
      const guest = this.#byAddress.get(from)
      if (!guest) continue
      guest.sent = nonce + 1
      // The transaction may have come before, if the chain has gone back since.
      if (!guest.preconfirmed.some((own) => own.hash === hash)) {
        count++
        guest.preconfirmed.push({ hash, atMs: now, reported: false })
        if (guest.preconfirmed.length > KEPT_HASHES) guest.preconfirmed.shift()
      }
      if (numbers.length < MAX_TOLD_IN_BEAT) numbers.push(guest.number)
    }
    if (count > 0) this.#rate.push({ at: now, count })
    this.#forgetOldRates(now)
    return numbers
  }

  #forgetOldRates(now: number): void {
    while (this.#rate[0] && this.#rate[0].at <= now - RATE_OVER_MS) this.#rate.shift()
  }

  /**
   * Takes a guest's report of one of its own transactions; each counts once.
   *
   * @returns When it was first pre-confirmed.
   * @throws {RpcRefusedError} If it is none of those.
   */
  report(guest: GuestEntry, hash: Hash, preconfirmedMs: number): number {
    const own = guest.preconfirmed.find((each) => each.hash === hash)
    if (!own || own.reported) {
      throw new RpcRefusedError(
        'invalid-params',
        'this transaction is not yours, not pre-confirmed, or reported already',
      )
    }
    own.reported = true
    guest.reports.push(preconfirmedMs)
    if (guest.reports.length > KEPT_REPORTS) guest.reports.shift()
    return own.atMs
  }

  /** @param watching - Connections that have not joined. */
  list(watching: number, now: number): RoomGuests {
    this.#forgetOldRates(now)
    const all = [...this.#byAddress.values()]
    const latencies = all.map(({ reports }) => median(reports)).filter((latency) => latency !== null)
    const recent = this.#rate.reduce((sum, { count }) => sum + count, 0)
    return {
      guests: all.slice(-MAX_GUESTS_TOLD).reverse().map(tell),
      connected: all.filter(({ connections }) => connections > 0).length,
      watching,
      transactionsPerSecond: recent / (RATE_OVER_MS / 1_000),
      // The median over guests, not over reports: a guest who reports more counts no more than others.
      latencyMs: median(latencies),
    }
  }
}

function tell({ number, mark, name, address, connections, sent, reports }: GuestEntry): RoomGuest {
  return { number, mark, name, address, connected: connections > 0, sent, latencyMs: median(reports) }
}

/** The median, for an even number the lower of the two in the middle; `null` for none. */
function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? null
}
