import type { Socket } from 'node:net'
import { TURN_MS } from '#node/turns/guard.ts'
import type { Clock } from '#primitives/clock.ts'
import type { NotificationParts } from '#rpc-types/connection.ts'
import { type SharedBytes, sharedBytes, textHeader } from './frames.ts'
import type { BudgetShare } from './shared-budget.ts'

/** Bytes that a socket writes before the others have their turn; a single frame may have more. */
const AT_ONCE = 256 * 1024
/** Bytes from which sockets write a text from where it is, instead of a copy together with others. */
const LARGE = 8_192
/** Frames that were written are removed from the front of a queue in groups of so many, or more. */
const MANY = 256

const BEFORE_ID = '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"'
const AFTER_ID = '","result":'
const AFTER_RESULT = '}}'
const AROUND_ID = BEFORE_ID.length + AFTER_ID.length + AFTER_RESULT.length

const NOTHING = Buffer.alloc(0)

/**
 * When sockets write: once in each round of the event loop, all that it has brought. After some milliseconds the other
 * callers have their turn, and then the sockets that are left.
 */
export class WriteRounds {
  /** In the order of their turns. */
  readonly #due = new Set<FrameQueue>()
  /** Results of this round, which mostly are for many sockets. */
  readonly #results = new Map<string, SharedBytes>()
  readonly #yield: Clock['yield']
  readonly #now: () => number
  #planned = false

  /** @param now - Milliseconds, which only go forward. */
  constructor(clock: Pick<Clock, 'yield'>, now = () => performance.now()) {
    this.#yield = () => clock.yield()
    this.#now = now
  }

  /** Gives a socket a turn. */
  add(queue: FrameQueue): void {
    this.#due.add(queue)
    if (this.#planned) return
    this.#planned = true
    setImmediate(() => void this.#writeAll())
  }

  /** A result in bytes: the same for all subscriptions that it is for. */
  bytesOf(result: string): SharedBytes {
    const known = this.#results.get(result)
    if (known) return known
    const bytes = sharedBytes(Buffer.from(result))
    this.#results.set(result, bytes)
    return bytes
  }

  async #writeAll(): Promise<void> {
    for (;;) {
      this.#results.clear()
      const until = this.#now() + TURN_MS
      let isTurnOver = false
      for (const queue of this.#due) {
        isTurnOver = this.#now() > until
        if (isTurnOver) break
        this.#due.delete(queue)
        // If there is more, its next turn is behind all others.
        queue.flush()
      }
      if (!isTurnOver) break
      await this.#yield()
    }
    this.#planned = false
  }
}

/**
 * The frames that wait for one socket. They take little memory before they are written: the results of notifications
 * are shared with other sockets.
 */
export class FrameQueue {
  readonly #socket: Socket
  readonly #isOpen: () => boolean
  readonly #share: BudgetShare
  readonly #rounds: WriteRounds
  /** The ids of subscriptions whose results the bytes at the same place are; `undefined` where those are whole frames. */
  #ids: (string | undefined)[] = []
  #bytes: SharedBytes[] = []
  /** How many at the front are being written, or have been. */
  #taken = 0
  /** How many at the front the system has. */
  #written = 0
  #waitingBytes = 0
  #closed = false

  /**
   * @param isOpen - Whether the socket takes frames.
   * @param share - Its part of the memory for all sockets. Its holder calls {@link close} when it is dropped.
   */
  constructor(socket: Socket, isOpen: () => boolean, share: BudgetShare, rounds: WriteRounds) {
    this.#socket = socket
    this.#isOpen = isOpen
    this.#share = share
    this.#rounds = rounds
  }

  /** Bytes that the client's system has not taken. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Writes whole frames in this socket's turn. */
  write(frames: SharedBytes): void {
    this.#add(undefined, frames)
  }

  /** Writes a notification in this socket's turn. */
  notify({ subscription, result }: NotificationParts): void {
    this.#add(subscription, this.#rounds.bytesOf(result))
  }

  /** Writes what waits, up to a limit, if the system has taken all of what was written before. */
  flush(): void {
    const isWriting = this.#taken > this.#written
    if (isWriting || this.#bytes.length === 0 || !this.#isOpen()) return
    const chunks = this.#take()
    const socket = this.#socket
    // Between two whole frames of `ws`, which writes each at once.
    socket.cork()
    for (const chunk of chunks) socket.write(chunk)
    socket.uncork()
    // A callback would cost more than the rest of the write, and mostly the system takes all of it at once.
    if (socket.writableLength > 0) socket.write(NOTHING, () => this.#release())
    else this.#release()
  }

  /** Forgets what waits, and takes no more. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (let i = this.#written; i < this.#bytes.length; i++) this.#share.release(this.#bytes[i] as SharedBytes)
    this.#ids = []
    this.#bytes = []
    this.#waitingBytes = 0
  }

  #add(id: string | undefined, bytes: SharedBytes): void {
    if (this.#closed) return
    this.#ids.push(id)
    this.#bytes.push(bytes)
    this.#waitingBytes += lengthOf(id, bytes)
    // May close it.
    this.#share.hold(bytes)
    if (this.#taken === this.#written) this.#rounds.add(this)
  }

  /** The next frames: small ones together in one chunk. */
  #take(): readonly Buffer[] {
    const chunks: Buffer[] = []
    let small: (string | Buffer)[] = []
    let smallBytes = 0
    const join = () => {
      if (smallBytes > 0) chunks.push(joined(small, smallBytes))
      small = []
      smallBytes = 0
    }
    const add = (part: string | Buffer) => {
      small.push(part)
      smallBytes += part.length
    }
    for (let taken = 0; this.#taken < this.#bytes.length && taken < AT_ONCE; this.#taken++) {
      const id = this.#ids[this.#taken]
      const shared = this.#bytes[this.#taken] as SharedBytes
      const { bytes } = shared
      if (id !== undefined) {
        add(`${textHeader(AROUND_ID + id.length + bytes.length)}${BEFORE_ID}${id}${AFTER_ID}`)
      }
      if (bytes.length >= LARGE) {
        join()
        chunks.push(bytes)
      } else {
        add(bytes)
      }
      if (id !== undefined) add(AFTER_RESULT)
      taken += lengthOf(id, shared)
    }
    join()
    return chunks
  }

  /** The system has what was being written. */
  #release(): void {
    if (this.#closed) return
    for (; this.#written < this.#taken; this.#written++) {
      const bytes = this.#bytes[this.#written] as SharedBytes
      this.#waitingBytes -= lengthOf(this.#ids[this.#written], bytes)
      this.#share.release(bytes)
    }
    const isEmpty = this.#written === this.#bytes.length
    if (isEmpty || this.#written >= Math.max(MANY, this.#bytes.length / 2)) {
      this.#ids.splice(0, this.#written)
      this.#bytes.splice(0, this.#written)
      this.#taken = 0
      this.#written = 0
    }
    if (!isEmpty) this.#rounds.add(this)
  }
}

/** Bytes of a frame, without its header, or of whole frames. */
function lengthOf(id: string | undefined, { bytes }: SharedBytes): number {
  return id === undefined ? bytes.length : AROUND_ID + id.length + bytes.length
}

/** @param parts - Strings with a character for each byte, and bytes. */
function joined(parts: readonly (string | Buffer)[], length: number): Buffer {
  const chunk = Buffer.allocUnsafe(length)
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') chunk.write(part, at, 'latin1')
    else chunk.set(part, at)
    at += part.length
  }
  return chunk
}
