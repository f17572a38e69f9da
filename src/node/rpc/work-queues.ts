import type { Caller } from '#rpc-types/connection.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import type { Turns } from '../turns/turns.ts'
import { RpcRefusedError, refusal } from './errors.ts'

/**
 * How many traces run at a time. Each may keep 128 Mi characters. More would gain nothing on one thread; with two, a
 * short trace need not wait for a long one.
 */
const TRACES = 2
/** How many other large answers are made at a time: tens of megabytes each. */
const ANSWERS = 4
/** How many calls run at a time: each has its own EVM, whose memory may grow to tens of megabytes. */
const CALLS = 16
/** How many calls may wait in a queue. */
const MAX_WAITING = 1_000
/** Most characters of the bodies being answered, including waiting ones: 25 of the largest, but for compilations. */
const MAX_BODY_CHARACTERS = 128 * 1024 * 1024
/** Most bodies being answered: each takes some kilobytes, however small it is. */
export const MAX_BODIES = 20_000
/** Characters of a body that is parsed at once; no ordinary call has more. */
const SMALL_BODY_CHARACTERS = 64 * 1024
/**
 * Most characters of larger bodies that are parsed at a time: three of the largest, but for compilations. Parsed values take several times
 * the text, and waiting bodies keep only the text.
 */
const MAX_READ_CHARACTERS = 16 * 1024 * 1024
/**
 * How many batches with large answers run at a time: all answers of a batch are in memory until the last one is ready.
 */
const LARGE_BATCHES = 2
/** Characters of a batch's answers after which it needs a turn to continue. */
const LARGE_BATCH_CHARACTERS = 1024 * 1024
/** Most characters of answers that batches may hold while they wait for that turn. */
export const MAX_WAITING_ANSWERS = 64 * 1024 * 1024

/**
 * Limits how much work runs at a time; the rest waits in order of arrival. One piece starts per turn of the thread,
 * since work that starts together also continues together; short ones may share a turn while it has time.
 */
export class WorkQueue {
  readonly #what: string
  readonly #slots: number
  readonly #turns: Turns
  readonly #waiting: {
    readonly caller: Caller
    readonly enter: () => void
    readonly refuse: (error: Error) => void
  }[] = []
  #running = 0
  /** Whether the next one will start in a later turn. */
  #hasAsked = false

  /** @param what - Plural noun for the refusal. */
  constructor(what: string, slots: number, turns: Turns) {
    this.#turns = turns
    this.#what = what
    this.#slots = slots
  }

  /**
   * Requests a slot, which {@link leave} returns.
   *
   * @returns `undefined` if work may start at once, otherwise a promise, which rejects if the caller goes.
   * @throws {RpcRefusedError} `limit-exceeded`, if too many wait.
   */
  enter(caller: Caller): Promise<void> | undefined {
    if (this.#running === 0 && this.#waiting.length === 0 && this.#turns.hasTime) {
      this.#running++
      return undefined
    }
    if (this.#running + this.#waiting.length >= this.#slots + MAX_WAITING) {
      const message = `too many ${this.#what} at a time: ${MAX_WAITING} are waiting already, try again when some are answered`
      throw new RpcRefusedError('limit-exceeded', message)
    }
    return new Promise((enter, refuse) => {
      this.#waiting.push({ caller, enter, refuse })
      this.#askForTurn()
    })
  }

  /**
   * Runs the work in a slot.
   *
   * @throws {RpcRefusedError} As in {@link enter}.
   */
  async run<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result> {
    await this.enter(caller)
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Returns a slot, for the next caller that still waits. */
  leave(): void {
    this.#running--
    if (this.#running === 0 && this.#waiting.length > 0 && this.#turns.hasTime) this.#letIn()
    this.#askForTurn()
  }

  #askForTurn(): void {
    if (this.#hasAsked || this.#waiting.length === 0 || this.#running === this.#slots) return
    this.#hasAsked = true
    void this.#turns.yield().then(() => {
      this.#hasAsked = false
      if (this.#running < this.#slots) this.#letIn()
      this.#askForTurn()
    })
  }

  #letIn(): void {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (!next.caller.gone) {
        this.#running++
        return next.enter()
      }
      next.refuse(new RpcRefusedError('server', 'the caller has gone'))
    }
  }
}

/** Kinds of limited work: a trace or a simulation, a large answer, or a call that executes code. */
export type WorkKind = 'trace' | 'answer' | 'call'

/** The budgets for work and memory that all callers of a node share. */
export class WorkQueues {
  readonly #traces: WorkQueue
  /** Queue of large answers, and of methods that only sometimes have a large answer. */
  readonly answers: WorkQueue
  /** Queue of calls, and of estimates before a submission. */
  readonly calls: WorkQueue
  readonly #batches: WorkQueue
  readonly #turns: Turns
  #bodyCharacters = 0
  #bodies = 0
  /** Characters of large bodies being parsed or answered. */
  #readCharacters = 0
  /** Bodies waiting for room for their values. */
  readonly #unread: { readonly characters: number; readonly enter: () => void }[] = []
  #waitingAnswers = 0

  constructor(turns: Turns) {
    this.#traces = new WorkQueue('traces', TRACES, turns)
    this.answers = new WorkQueue('large answers', ANSWERS, turns)
    this.calls = new WorkQueue('calls', CALLS, turns)
    this.#batches = new WorkQueue('batches with large answers', LARGE_BATCHES, turns)
    this.#turns = turns
  }

  /** The queue for methods of that kind. */
  of(kind: WorkKind): WorkQueue {
    return kind === 'trace' ? this.#traces : kind === 'answer' ? this.answers : this.calls
  }

  /** Reserves room for a body. Returns the error if there is none. Ends with {@link giveBody}. */
  takeBody(characters: number): JsonRpcErrorObject | undefined {
    const taken = this.#bodyCharacters
    if (taken > 0 && taken + characters > MAX_BODY_CHARACTERS) {
      const limit = `the node has requests of ${taken} characters in progress, the limit is ${MAX_BODY_CHARACTERS}`
      return refusal('limit-exceeded', `${limit}: wait for answers before you send more`)
    }
    if (this.#bodies >= MAX_BODIES) {
      const limit = `the node has ${MAX_BODIES} requests in progress`
      return refusal('limit-exceeded', `${limit}: wait for answers before you send more, or send batches`)
    }
    this.#bodyCharacters += characters
    this.#bodies++
    return undefined
  }

  giveBody(characters: number): void {
    this.#bodyCharacters -= characters
    this.#bodies--
  }

  /**
   * Requests room for the parsed values of a body, which {@link leaveReading} returns: the node parses no more large
   * bodies at a time than it has memory for. They are served in order of arrival.
   *
   * @returns `undefined` if there is room at once, as there always is for a small body.
   */
  enterReading(characters: number): Promise<void> | undefined {
    if (characters <= SMALL_BODY_CHARACTERS) return undefined
    if (this.#unread.length === 0 && this.#hasRoomFor(characters)) {
      this.#readCharacters += characters
      return this.#turns.begin()
    }
    return new Promise((enter) => this.#unread.push({ characters, enter }))
  }

  leaveReading(characters: number): void {
    if (characters <= SMALL_BODY_CHARACTERS) return
    this.#readCharacters -= characters
    for (let next = this.#unread[0]; next && this.#hasRoomFor(next.characters); next = this.#unread[0]) {
      this.#unread.shift()
      this.#readCharacters += next.characters
      void this.#turns.yield().then(next.enter)
    }
  }

  /** Opens the answers of a new batch; close it when they are joined. */
  openBatch(caller: Caller): BatchAnswers {
    let characters = 0
    let hasTurn = false
    return {
      add: async (more) => {
        characters += more
        if (hasTurn || characters <= LARGE_BATCH_CHARACTERS) return
        if (this.#waitingAnswers > 0 && this.#waitingAnswers + characters > MAX_WAITING_ANSWERS) {
          const limit = `batches that wait for their turn have answers of ${this.#waitingAnswers} characters already, the limit is ${MAX_WAITING_ANSWERS}`
          throw new RpcRefusedError('limit-exceeded', `response too large: ${limit}. Send fewer batches at a time`)
        }
        this.#waitingAnswers += characters
        try {
          await this.#batches.enter(caller)
          hasTurn = true
        } finally {
          this.#waitingAnswers -= characters
        }
      },
      close: () => {
        if (hasTurn) this.#batches.leave()
      },
    }
  }

  /** A single body may exceed the limit. */
  #hasRoomFor(characters: number): boolean {
    return this.#readCharacters === 0 || this.#readCharacters + characters <= MAX_READ_CHARACTERS
  }
}

/** The answers of one batch so far: when they are large, it needs a turn to continue. */
export interface BatchAnswers {
  /**
   * Counts more answers, and waits for a turn if the batch needs one.
   *
   * @throws {RpcRefusedError} `limit-exceeded`, if too many characters wait; or if the caller goes while it waits.
   */
  add(characters: number): Promise<void>
  close(): void
}
