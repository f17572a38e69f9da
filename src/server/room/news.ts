import type { Clock } from '#primitives/clock.ts'
import { isObject } from '#primitives/json-object.ts'
import type { JsonRpcNotification } from '#rpc-types/envelope.ts'
import type { RoomBeat } from '#rpc-types/methods/room.ts'
import type { RpcHeader } from '#rpc-types/objects.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { Broadcast } from './broadcast.ts'
import type { Guests } from './guests.ts'

/** The id of everyone's subscription to the room. */
export const BEATS_ID = '0x6265617473'
const HEADS_ID = '0x6865616473'

/** The chain's events, told to all guests by subscriptions that they share. */
export class News {
  readonly heads: Broadcast
  readonly beats: Broadcast
  /** Resolves when all events so far have been taken. */
  followed: Promise<void> = Promise.resolve()
  readonly #guests: Guests
  readonly #clock: Clock
  readonly #onBug: (error: unknown) => void
  #arrived: { readonly body: string; readonly atMs: number }[] = []
  /** The newest partial block. */
  #last: { readonly block: number; readonly index: number; readonly transactions: number } | undefined
  #rewinds = 0

  constructor(guests: Guests, clock: Clock, onBug: (error: unknown) => void) {
    this.#guests = guests
    this.#clock = clock
    this.#onBug = onBug
    this.heads = new Broadcast(HEADS_ID, clock)
    this.beats = new Broadcast(BEATS_ID, clock)
  }

  /** Takes the events of a tick together; the tick that brings them does not wait for the room. */
  follow(body: string): void {
    this.#arrived.push({ body, atMs: this.#clock.now() })
    if (this.#arrived.length > 1) return
    this.followed = this.#clock.yield().then(() => {
      const arrived = this.#arrived
      this.#arrived = []
      arrived.forEach((event) => this.#take(event))
    })
  }

  #take({ body, atMs }: { readonly body: string; readonly atMs: number }): void {
    try {
      const { result } = (JSON.parse(body) as JsonRpcNotification).params
      if (isPartial(result)) this.#partial(result)
      else this.#sealed(result as RpcHeader, atMs)
    } catch (error) {
      this.#onBug(error)
    }
  }

  #partial({ index, base, diff, metadata }: PartialBlockDiff): void {
    const seen = diff.transactions.map(({ hash, from, nonce }) => ({ hash, from, nonce: Number(nonce) }))
    const { transactionCount: transactions, cutAtMs } = metadata
    const guests = this.#guests.preconfirmed(seen, cutAtMs)
    const block = Number(metadata.blockNumber)
    const last = this.#last
    // The node begins a block with its constant fields, and tells them again where it has gone back.
    const isRewind = base !== undefined && last !== undefined && (index > 0 || block !== last.block + 1)
    if (isRewind) this.#rewinds++
    this.#last = { block, index, transactions }
    const isNews = transactions > (block === last?.block ? last.transactions : 0)
    if (isNews || isRewind) this.#beat({ block, index, sealed: false, guests, atMs: cutAtMs })
  }

  #sealed(header: RpcHeader, atMs: number): void {
    this.heads.send(JSON.stringify(header))
    this.#beat({ block: Number(header.number), index: this.#last?.index ?? 0, sealed: true, guests: [], atMs })
  }

  #beat(beat: Omit<RoomBeat, 'rewinds'>): void {
    this.beats.send(JSON.stringify({ ...beat, rewinds: this.#rewinds } satisfies RoomBeat))
  }
}

function isPartial(result: unknown): result is PartialBlockDiff {
  return isObject(result) && 'diff' in result
}
