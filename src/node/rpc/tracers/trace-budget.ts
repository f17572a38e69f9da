import { RpcRefusedError } from '../errors.ts'

/** Characters that the traces of one request may have, roughly: more would take the node's memory. */
const MAX_CHARACTERS = 1 << 27

/** The characters that the tracers of one request may use together. */
export class TraceBudget {
  #left: number

  constructor(left = MAX_CHARACTERS) {
    this.#left = left
  }

  /** As much as is left, for what is let go of again. */
  rest(): TraceBudget {
    return new TraceBudget(this.#left)
  }

  /**
   * To be called before that many characters are kept.
   *
   * @throws {RpcRefusedError} `server`, if the trace grows too large.
   */
  spend(characters: number): void {
    this.#left -= characters
    if (this.#left >= 0) return
    throw new RpcRefusedError('server', `trace is too large: more than ${MAX_CHARACTERS} characters`)
  }
}
