import { EMPTY_BYTES } from '#primitives/bytes.ts'
import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { EMPTY_CODE_HASH } from './state-reader.ts'

/** A chain's contract codes by hash, shared by all of its states. Codes are kept for the lifetime of the node. */
export class CodeStore {
  readonly #codes = new Map<Hash, Uint8Array>([[EMPTY_CODE_HASH, EMPTY_BYTES]])
  readonly #base: CodeStore | undefined
  #bytes = 0

  /** @param base - Has codes that this store need not have, too. */
  constructor(base?: CodeStore) {
    this.#base = base
  }

  has(codeHash: Hash): boolean {
    return this.#codes.has(codeHash) || (this.#base?.has(codeHash) ?? false)
  }

  /** @throws {InvariantError} If no state brought a code with that hash. */
  get(codeHash: Hash): Uint8Array {
    const code = this.#codes.get(codeHash) ?? (this.#base?.has(codeHash) ? this.#base.get(codeHash) : undefined)
    invariant(code, `no code with hash ${codeHash}`)
    return code
  }

  /** @param codeHash - keccak256 of `code`. */
  add(codeHash: Hash, code: Uint8Array): void {
    if (!this.#codes.has(codeHash)) this.#bytes += code.length
    this.#codes.set(codeHash, code)
  }

  /** Total bytes of the codes added to this store. */
  get bytes(): number {
    return this.#bytes
  }

  /** The codes added to this store, by hash; excludes those of the store it was branched from. */
  entries(): IterableIterator<readonly [codeHash: Hash, code: Uint8Array]> {
    return this.#codes.entries()
  }

  /** A store that can read all of these codes and keeps its additions to itself; for states outside the chain. */
  branch(): CodeStore {
    return new CodeStore(this)
  }
}
