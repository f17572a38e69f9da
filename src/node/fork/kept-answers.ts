import { isNestedDeeperThan } from '#primitives/json-text.ts'
import { parsedAnswer } from './answers.ts'
import type { KeptRow } from './kept-rows.ts'

/** Most bytes of all answers that are kept, and characters of one; what is beyond is asked for each time. */
const MAX_BYTES = 32 << 20
const MAX_ANSWER = 1 << 20
/** Levels of an answer, as of one that comes from an endpoint. */
const MAX_DEPTH = 128

/** What the endpoint has answered about the time before the fork, so that it is asked once. Nothing of it is proven. */
export class KeptAnswers {
  readonly #answers = new Map<string, string>()
  readonly #keep: (row: KeptRow) => void
  #bytes = 0

  /** @param keep - Called with each answer. */
  constructor(keep: (row: KeptRow) => void) {
    this.#keep = keep
  }

  /** The answer to a call; `undefined` if there is none. */
  find(method: string, params: readonly unknown[]): unknown {
    return parsedAnswer(this.#answers.get(nameOf(method, params))) ?? undefined
  }

  /** Keeps an answer, if there is room. That there is nothing may change, and is not kept. */
  put(method: string, params: readonly unknown[], answer: unknown): void {
    if (answer === null || answer === undefined) return
    const [call, json] = [nameOf(method, params), JSON.stringify(answer)]
    if (!this.#answers.has(call) && this.#put(call, json)) this.#keep({ kind: 'answer', call, json })
  }

  /** Takes what an earlier run has kept; rows of other kinds are left out. */
  restore(row: KeptRow): void {
    if (row.kind === 'answer' && !isNestedDeeperThan(row.json, MAX_DEPTH)) this.#put(row.call, row.json)
  }

  #put(call: string, json: string): boolean {
    const more = call.length + json.length
    if (more > MAX_ANSWER || this.#bytes + more > MAX_BYTES) return false
    this.#bytes += more
    this.#answers.set(call, json)
    return true
  }
}

function nameOf(method: string, params: readonly unknown[]): string {
  return JSON.stringify([method, params])
}
