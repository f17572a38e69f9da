import { EMPTY_BYTES } from '#primitives/bytes.ts'
import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { EMPTY_CODE_HASH } from './state-reader.ts'

/** The codes of a chain by their hash, shared by all of its states; a code stays for as long as the node runs. */
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

  /** Bytes that its own codes take. */
  get bytes(): number {
    return this.#bytes
  }

  /** Its own codes by their hashes; not those of the store that it was forked from. */
  entries(): IterableIterator<readonly [codeHash: Hash, code: Uint8Array]> {
    return this.#codes.entries()
  }

  /** A store that has all of these codes, and whose own are nobody else's: for states that are not of the chain. */
  fork(): CodeStore {
    return new CodeStore(this)
  }
}
