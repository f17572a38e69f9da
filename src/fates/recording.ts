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
  /** Whether it went on for too long to be recorded. */
  readonly isCut?: boolean
}

/** Most acts of a recording. */
export const MAX_ACTS = 100_000
/** Most characters of the calls in it. */
const MAX_CHARACTERS = 64 * 1024 * 1024

/** Records what is done to chains. */
export class FateRecorder implements Recording {
  readonly #acts: RecordedAct[] = []
  #characters = 0
  isCut = false
  listens = false

  get acts(): readonly RecordedAct[] {
    return this.#acts
  }

  /** @param characters - Of the call. */
  add(act: RecordedAct, characters = 0): void {
    this.#characters += characters
    this.isCut ||= this.#acts.length >= MAX_ACTS || this.#characters > MAX_CHARACTERS
    if (!this.isCut) this.#acts.push(act)
  }
}
