/** Something that was done to the chains, in its order. */
export type RecordedAct =
  /** A call of the dapp that sends. */
  | { readonly kind: 'send'; readonly chain: string; readonly method: string; readonly params: readonly unknown[] }
  /** A call of the test itself that changes a chain. */
  | { readonly kind: 'change'; readonly chain: string; readonly method: string; readonly params: readonly unknown[] }
  | { readonly kind: 'tick'; readonly chain: string }

/** What was done to the chains while a dapp was used. */
export interface Recording {
  readonly acts: readonly RecordedAct[]
  /** Whether the dapp has subscribed to anything. */
  readonly listens: boolean
}

/** Most acts of a recording. */
export const MAX_ACTS = 100_000

/** Records what is done to chains. */
export class Recorder implements Recording {
  readonly #acts: RecordedAct[] = []
  listens = false

  get acts(): readonly RecordedAct[] {
    return this.#acts
  }

  /** @throws {RangeError} If there are too many. */
  add(act: RecordedAct): void {
    if (this.#acts.length >= MAX_ACTS) {
      throw new RangeError(`a fate goes on for at most ${MAX_ACTS} ticks and transactions`)
    }
    this.#acts.push(act)
  }
}
