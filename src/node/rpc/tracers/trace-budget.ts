import { RpcRefusedError } from '../errors.ts'

/** Approximate limit for the characters of one request's traces: more would use up the node's memory. */
const MAX_CHARACTERS = 1 << 27

/** The characters shared by the tracers of one request. */
export class TraceBudget {
  #left: number

  constructor(left = MAX_CHARACTERS) {
    this.#left = left
  }

  /** A separate budget with what is left, for a result that is not kept. */
  rest(): TraceBudget {
    return new TraceBudget(this.#left)
  }

  /**
   * Call this before keeping that many characters.
   *
   * @throws {RpcRefusedError} `server`, if the trace grows too large.
   */
  spend(characters: number): void {
    this.#left -= characters
    if (this.#left >= 0) return
    throw new RpcRefusedError('server', `trace is too large: more than ${MAX_CHARACTERS} characters`)
  }
}
