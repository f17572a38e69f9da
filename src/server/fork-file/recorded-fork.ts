import { AnswerError } from '#node/fork/answers.ts'
import type { Fork } from '#node/fork/fork.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { readForkHeader } from '#node/fork/fork-header.ts'
import { type MissingState, MissingStateError } from '#node/state/missing-state.ts'
import type { AccountProof } from '#node/state/state-snapshot.ts'
import { type Address, type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'

/** What an endpoint has answered: a result, or an error of its own. */
export type RecordedOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

/** Longest file, in bytes, and which part of it is left for what is being fetched. */
export const MAX_FILE_BYTES = 64 << 20
const RESERVED = 1 / 16
/** Characters of a line with a slot, and of an account with its header. */
const SLOT_LINE = 190
const ACCOUNT_LINE = 300
/** Most characters of all answers, and of one. */
const MAX_ANSWERS = 24 << 20
const MAX_ANSWER = 1 << 20

/** What was asked of another chain at one block: the part of it that a fork file has. */
export class RecordedFork {
  /** The block, and all that was proven of its state. */
  readonly fork: Fork
  /** What was asked of the state: accounts with their slots. */
  readonly #asked = new Map<Address, Set<Hash>>()
  /** Outcomes by their calls, both as canonical JSON. */
  readonly #answers = new Map<string, string>()
  #characters = 0
  #slots = 0
  readonly #maxBytes: number

  /** @param maxBytes - Longest file that it may become. */
  constructor(fork: Fork, maxBytes = MAX_FILE_BYTES) {
    this.fork = fork
    this.#maxBytes = maxBytes
  }

  /** The number of the fork's block, as calls have it. */
  get at(): Hex {
    return toQuantity(this.fork.header.header.number)
  }

  /** Accounts that were asked for, with their slots, each in its order. */
  accounts(): readonly (readonly [address: Address, slots: readonly Hash[]])[] {
    return [...this.#asked].sort(byName).map(([address, slots]) => [address, [...slots].sort()])
  }

  /** Calls and outcomes as canonical JSON, in the order of the calls. */
  answers(): readonly (readonly [call: string, outcome: string])[] {
    return [...this.#answers].sort(byName)
  }

  /** Notes that an account and slots of it are part of the file. @returns Whether one of them is new. */
  note(address: Address, slots: readonly Hash[]): boolean {
    const known = this.#asked.get(address)
    const all = known ?? new Set<Hash>()
    if (!known) this.#asked.set(address, all)
    const before = all.size
    for (const slot of slots) all.add(slot)
    this.#slots += all.size - before
    return !known || all.size > before
  }

  /**
   * Fetches what is not known of an account and its slots, and proves it.
   *
   * @throws {ForkError} If it cannot be had.
   */
  async prove(address: Address, slots: readonly Hash[]): Promise<AccountProof> {
    const { fork } = this
    const missing = this.#missing(address, slots)
    if (missing.length > 0) this.#requireRoom()
    await fork.fetch(missing)
    return fork.block.state.prove(address, slots)
  }

  /** What is recorded must never be too much to be written. @throws {ForkError} */
  #requireRoom(): void {
    const nodes = (this.fork.keptBytes * 4) / 3
    const lines = this.#slots * SLOT_LINE + this.#asked.size * ACCOUNT_LINE
    if (nodes + lines + this.#characters <= this.#maxBytes * (1 - RESERVED)) return
    throw new ForkError(`the fork file has ${this.#maxBytes} bytes, its limit: record fewer tests into one file`)
  }

  #missing(address: Address, slots: readonly Hash[]): MissingState[] {
    const { state } = this.fork.block
    if (!isKnown(() => state.account(address))) {
      return [{ kind: 'account', address }, ...slots.map((slot) => ({ kind: 'slot', address, slot }) as const)]
    }
    const unknown = slots.filter((slot) => !isKnown(() => state.storage(address, slot)))
    return unknown.map((slot) => ({ kind: 'slot', address, slot }))
  }

  /** The outcome of a call about the time before the fork; `undefined` if it was not asked. */
  answer(method: string, params: readonly unknown[]): RecordedOutcome | undefined {
    const outcome = this.#answers.get(canonicalJson([method, params]))
    return outcome === undefined ? undefined : (JSON.parse(outcome) as RecordedOutcome)
  }

  /**
   * Takes the outcome of a call.
   *
   * @returns Whether it is new.
   * @throws {AnswerError} If it is a block that its hash, or its number, is not that of.
   * @throws {ForkError} If there is too much.
   */
  put(method: string, params: readonly unknown[], outcome: RecordedOutcome): boolean {
    if ('result' in outcome) checkBlock(method, params, outcome.result)
    const [call, text] = [canonicalJson([method, params]), canonicalJson(outcome)]
    const before = this.#answers.get(call)
    if (before === text) return false
    const characters = this.#characters + call.length + text.length - (before === undefined ? 0 : before.length)
    if (call.length + text.length > MAX_ANSWER || characters > MAX_ANSWERS) {
      const limits = `${MAX_ANSWER >> 20} MiB in one, ${MAX_ANSWERS >> 20} MiB in all`
      throw new ForkError(`the answer to ${method} is more than a fork file takes of the time before: ${limits}`)
    }
    this.#requireRoom()
    this.#characters = characters
    this.#answers.set(call, text)
    return true
  }
}

/** JSON with the members of each object in the order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(byName)) : each,
  )
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function isKnown(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof MissingStateError) return false
    throw error
  }
}

/** Checks the header of a block by its hash, and that it is the block that was asked for. @throws {AnswerError} */
function checkBlock(method: string, [ref]: readonly unknown[], answer: unknown): void {
  if ((method !== 'eth_getBlockByNumber' && method !== 'eth_getBlockByHash') || answer === null) return
  const { hash, header } = readForkHeader(answer)
  const isIt = method === 'eth_getBlockByHash' ? String(ref).toLowerCase() === hash : ref === toQuantity(header.number)
  if (!isIt) throw new AnswerError(`the block ${String(ref)} is another one: ${header.number}, ${hash}`)
}
