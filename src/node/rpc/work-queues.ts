import type { Caller } from '#rpc-types/connection.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import { RpcRefusedError, refusal } from './errors.ts'
import type { Turns } from './turns.ts'

/**
 * Traces at a time. Each may keep 128 Mi characters. One thread gains nothing from more, and with two a short trace need
 * not wait for a long one.
 */
const TRACES = 2
/** Other large answers at a time: tens of megabytes each. */
const ANSWERS = 4
/** Calls at a time: each has a machine of its own, whose memory may grow to tens of megabytes. */
const CALLS = 16
/** Calls that may wait for one of these. */
const MAX_WAITING = 1_000
/** Characters of the bodies that are being answered, waiting ones included: 25 of the largest. */
const MAX_BODY_CHARACTERS = 128 * 1024 * 1024
/** Bodies that are being answered: each takes some kilobytes, however small it is. */
export const MAX_BODIES = 20_000
/** Characters of a body that is read as soon as it comes: no ordinary call has more. */
const SMALL_BODY_CHARACTERS = 64 * 1024
/**
 * Characters of larger bodies that are read or answered: three of the largest. As values they take several times their
 * text, which alone is kept of those that wait.
 */
const MAX_READ_CHARACTERS = 16 * 1024 * 1024
/** Batches with large answers at a time: all answers of a batch are in memory until the last one is there. */
const LARGE_BATCHES = 2
/** Characters of a batch's answers after which it needs a turn of its own to go on. */
const LARGE_BATCH_CHARACTERS = 1024 * 1024
/** Characters of answers that batches may hold while they wait for that turn. */
export const MAX_WAITING_ANSWERS = 64 * 1024 * 1024

/**
 * Lets so many in at a time; the others wait in the order in which they came. One begins in each turn of the thread, as
 * those that begin together would also go on together; short ones follow each other while the turn has time.
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
  /** Whether the next one will begin in a later turn of the thread. */
  #hasAsked = false

  /** @param what - In the plural, for the refusal. */
  constructor(what: string, slots: number, turns: Turns) {
    this.#turns = turns
    this.#what = what
    this.#slots = slots
  }

  /**
   * Asks for a slot, which {@link leave} gives back.
   *
   * @returns `undefined` if work may begin at once, else a promise of that, which rejects if the caller goes.
   * @throws {RpcRefusedError} `limit-exceeded`, if too many wait.
   */
  enter(caller: Caller): Promise<void> | undefined {
    if (this.#running === 0 && this.#waiting.length === 0 && this.#turns.hasTime) {
      this.#running++
      return undefined
    }
    if (this.#running + this.#waiting.length >= this.#slots + MAX_WAITING) {
      const message = `too many ${this.#what} at a time: ${MAX_WAITING} wait already, ask again when some are answered`
      throw new RpcRefusedError('limit-exceeded', message)
    }
    return new Promise((enter, refuse) => {
      this.#waiting.push({ caller, enter, refuse })
      this.#askForTurn()
    })
  }

  /** Does the work in a slot. @throws {RpcRefusedError} As {@link enter}. */
  async run<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result> {
    await this.enter(caller)
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Gives a slot back, for the next who still waits for an answer. */
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

/** Work that is limited: a trace or a simulation, a large answer, or a call that runs code. */
export type WorkKind = 'trace' | 'answer' | 'call'

/** The budgets for work and memory that all callers of a node share. */
export class WorkQueues {
  readonly #traces: WorkQueue
  /** Also of those methods that only sometimes have one. */
  readonly answers: WorkQueue
  /** Also of those who try a call before they send it. */
  readonly calls: WorkQueue
  readonly #batches: WorkQueue
  readonly #turns: Turns
  #bodyCharacters = 0
  #bodies = 0
  /** Of bodies that are not small. */
  #readCharacters = 0
  /** Bodies that wait until there is room for their values. */
  readonly #unread: { readonly characters: number; readonly enter: () => void }[] = []
  #waitingAnswers = 0

  constructor(turns: Turns) {
    this.#traces = new WorkQueue('traces', TRACES, turns)
    this.answers = new WorkQueue('large answers', ANSWERS, turns)
    this.calls = new WorkQueue('calls', CALLS, turns)
    this.#batches = new WorkQueue('batches with large answers', LARGE_BATCHES, turns)
    this.#turns = turns
  }

  /** The queue in which a method of that kind waits for its turn. */
  of(kind: WorkKind): WorkQueue {
    return kind === 'trace' ? this.#traces : kind === 'answer' ? this.answers : this.calls
  }

  /** Takes room for a body; the error of its refusal if there is none. Ends with {@link giveBody}. */
  takeBody(characters: number): JsonRpcErrorObject | undefined {
    const taken = this.#bodyCharacters
    if (taken > 0 && taken + characters > MAX_BODY_CHARACTERS) {
      const limit = `the node has requests of ${taken} characters under way, the limit is ${MAX_BODY_CHARACTERS}`
      return refusal('limit-exceeded', `${limit}: wait for answers before you send more`)
    }
    if (this.#bodies >= MAX_BODIES) {
      const limit = `the node has ${MAX_BODIES} requests under way`
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
   * Asks for room for the values of a body, which {@link leaveReading} gives back: the node reads no more large bodies at
   * a time than it has memory for. They have their turns in the order in which they came.
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

  /** Answers of a new batch; to be closed when they are put together. */
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

  /** One body alone may have more than there is room for. */
  #hasRoomFor(characters: number): boolean {
    return this.#readCharacters === 0 || this.#readCharacters + characters <= MAX_READ_CHARACTERS
  }
}

/** The answers that one batch has so far: when they are large, it needs a turn to go on. */
export interface BatchAnswers {
  /**
   * Takes note of more answers, and waits for a turn if the batch needs one.
   *
   * @throws {RpcRefusedError} `limit-exceeded`, if too many characters wait; or if the caller goes while it waits.
   */
  add(characters: number): Promise<void>
  close(): void
}
