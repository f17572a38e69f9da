import type { Address, Hash } from '#primitives/hex.ts'
import type { ByteText } from './byte-text.ts'

/** A part of a forked chain's state, or of its history, that has not been fetched yet. */
export type MissingState =
  | { readonly kind: 'account'; readonly address: Address }
  | { readonly kind: 'slot'; readonly address: Address; readonly slot: Hash }
  /**
   * A node that has to move up in the trie of accounts, or in the storage trie of `address`: the one at the first
   * `depth` nibbles of `key`.
   */
  | {
      readonly kind: 'node'
      readonly address: Address | undefined
      readonly key: ByteText
      readonly depth: number
    }
  /** The hash of a block before the fork. */
  | { readonly kind: 'block-hash'; readonly number: number }

/** A slot that has not been fetched yet. */
export type MissingSlot = MissingState & { readonly kind: 'slot' }

/** Something was read that has not been fetched. The reader changes nothing, fetches it, and begins again. */
export class MissingStateError extends Error {
  override readonly name = 'MissingStateError'
  readonly missing: MissingState

  constructor(missing: MissingState) {
    super(`not fetched: ${Object.values(missing).join(' ')}`)
    this.missing = missing
  }
}

/** Takes note of what is missing, where the reader goes on with a guess: that there is nothing. */
export type NoteMissing = (missing: MissingState) => void

/** Reads; where something is missing, notes it and answers `undefined`. */
export function readOrNote<Value>(read: () => Value | undefined, note: NoteMissing): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof MissingStateError)) throw error
    note(error.missing)
    return undefined
  }
}
