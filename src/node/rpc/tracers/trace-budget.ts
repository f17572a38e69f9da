import type { CallLimits } from '../../evm/calls/call.ts'
import { RpcRefusedError } from '../errors.ts'

/** Approximate limit for the characters of one request's traces. */
const MAX_CHARACTERS = 1 << 27
/** Bytes of the heap that everything else may take. */
const OTHER_BYTES = 64 << 20
/** Bytes of the heap for each of those characters: two traces at a time, as objects and as text. */
const BYTES_PER_CHARACTER = 8
/** The least that a request may have, however small the heap is. */
const MIN_CHARACTERS = 1 << 20

/**
 * The characters that one request's traces may have: more would use up the memory of the node.
 *
 * @param heapBytes - Of the host's heap, where that is known to have a limit.
 */
export function traceCharactersIn(heapBytes: number = Number.POSITIVE_INFINITY): number {
  const fitting = Math.floor((heapBytes - OTHER_BYTES) / BYTES_PER_CHARACTER)
  return Math.max(MIN_CHARACTERS, Math.min(MAX_CHARACTERS, fitting))
}

/** The characters shared by the tracers of one request. */
export class TraceBudget {
  readonly #all: number
  #left: number

  /** @param limits - Those of a node. */
  constructor({ traceCharacters }: Pick<CallLimits, 'traceCharacters'>, left: number = traceCharacters) {
    this.#all = traceCharacters
    this.#left = left
  }

  /** A separate budget with what is left, for a result that is not kept. */
  rest(): TraceBudget {
    return new TraceBudget({ traceCharacters: this.#all }, this.#left)
  }

  /**
   * Call this before keeping that many characters.
   *
   * @throws {RpcRefusedError} `server`, if the trace grows too large.
   */
  spend(characters: number): void {
    this.#left -= characters
    if (this.#left >= 0) return
    throw new RpcRefusedError('server', `trace is too large: more than ${this.#all} characters`)
  }
}
