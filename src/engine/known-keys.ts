import type { Address } from '#primitives/hex.ts'
import type { KeyRecovery, Signed } from './key-recovery.ts'
import { singleRecovery } from './single-recovery.ts'

/** Signatures after which a key is learnt; that takes as long as two recoveries, and then saves half of each. */
const LEARNT_AFTER = 8
/** Signatures by others after which a key that has signed none makes room for another. */
const KEPT_FOR = 1_000
/** Keys whose signatures are counted. */
const MAX_COUNTED = 256

interface Known {
  signatures: number
  /** The number by which it is learnt. */
  learntAs: number | undefined
  /** When it signed last: a number of signatures. */
  last: number
}

/** Keys that sign often: whether such a key has made a signature is answered in half the time that recovering it takes. */
export class KnownKeys {
  readonly #recovery: KeyRecovery
  readonly #byAddress = new Map<Address, Known>()
  readonly #free: number[]
  #signatures = 0

  /** @param recovery - Nobody else may have it learn keys: another's would be taken for those here. */
  constructor(recovery: KeyRecovery) {
    this.#recovery = recovery
    this.#free = Array.from({ length: recovery.maxKeys }, (_, i) => i)
  }

  /** `undefined` if the key of that address is not known. Otherwise what {@link KeyRecovery.isSignedBy} says. */
  isSignedBy(signature: Signed, address: Address): boolean | undefined {
    const known = this.#byAddress.get(address)
    if (known?.learntAs === undefined) return undefined
    if (!this.#recovery.isSignedBy(signature, known.learntAs)) return false
    known.last = ++this.#signatures
    return true
  }

  /**
   * Counts a signature.
   *
   * @param key - The key that made it, 64 bytes, and its address.
   */
  count(key: Uint8Array, address: Address): void {
    const known = this.#byAddress.get(address) ?? { signatures: 0, learntAs: undefined, last: 0 }
    known.signatures++
    known.last = ++this.#signatures
    // Those that signed last are at the end.
    this.#byAddress.delete(address)
    this.#byAddress.set(address, known)
    if (known.learntAs === undefined && known.signatures % LEARNT_AFTER === 0) {
      known.learntAs = this.#room()
      if (known.learntAs !== undefined) this.#recovery.learn(known.learntAs, key)
    }
    if (this.#byAddress.size > MAX_COUNTED) this.#forgetOne()
  }

  /** A number for another key; `undefined` if all that have one still sign. */
  #room(): number | undefined {
    const free = this.#free.pop()
    if (free !== undefined) return free
    let oldest: Known | undefined
    for (const known of this.#byAddress.values()) {
      if (known.learntAs !== undefined && known.last < (oldest?.last ?? Number.POSITIVE_INFINITY)) oldest = known
    }
    if (!oldest || this.#signatures - oldest.last <= KEPT_FOR) return undefined
    const number = oldest.learntAs
    oldest.learntAs = undefined
    return number
  }

  #forgetOne(): void {
    for (const [address, { learntAs }] of this.#byAddress) {
      if (learntAs !== undefined) continue
      this.#byAddress.delete(address)
      return
    }
  }
}

let made: KnownKeys | undefined

/** Those of this thread: its module has room for so many, whoever asks. */
export function knownKeys(): KnownKeys {
  made ??= new KnownKeys(singleRecovery())
  return made
}
