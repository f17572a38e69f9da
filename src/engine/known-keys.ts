import type { Address } from '#primitives/hex.ts'
import type { KeyRecovery, Signed } from './key-recovery.ts'
import { keyRecoveryFor } from './recover-keys.ts'

/** Signatures after which a key is learnt; that takes as long as two to five recoveries, and then saves two thirds of each. */
const LEARNT_AFTER = 8
/** Signatures after which it gets wide tables; these take as long as some 70 checks, and then save two fifths of each. */
const WIDE_AFTER = 128
/** Checked signatures for each part of wide tables, which takes as long as some ten of them. */
const CHECKS_PER_PART = 16
/** Signatures by others after which a key that has signed none makes room for another. */
const KEPT_FOR = 1_000
/** Keys whose signatures are counted. */
const MAX_COUNTED = 256

interface Known {
  readonly address: Address
  signatures: number
  /** The number by which it is learnt, of keys or of wide keys. */
  number: number | undefined
  isWide: boolean
  /** When it signed last: a number of signatures. */
  last: number
}

/** Wide tables that are being made. */
interface Widening {
  readonly known: Known
  readonly wide: number
  part: number
}

/** Keys that sign often: whether such a key has made a signature is answered in less than a third of the time that recovering it takes. */
export class KnownKeys {
  readonly #create: () => KeyRecovery
  /** Made when the first key is learnt, with the numbers that no key has. */
  #made: { readonly recovery: KeyRecovery; readonly narrow: number[]; readonly wide: number[] } | undefined
  readonly #byAddress = new Map<Address, Known>()
  #signatures = 0
  /** Checked signatures that no part has been made for. */
  #checks = 0
  #widening: Widening | undefined
  /** Parts of the generator's wide tables; `undefined` when all are made. */
  #generatorPart: number | undefined = 0

  /** @param create - Nobody else may have it learn keys: another's would be taken for those here. */
  constructor(create: () => KeyRecovery) {
    this.#create = create
  }

  get #module() {
    if (this.#made) return this.#made
    const recovery = this.#create()
    const { narrow, wide } = recovery.maxKeys
    const numbers = (length: number) => Array.from({ length }, (_, i) => i)
    this.#made = { recovery, narrow: numbers(narrow), wide: numbers(wide) }
    return this.#made
  }

  /** Whether the key of that address is known. */
  has(address: Address): boolean {
    return this.#byAddress.get(address)?.number !== undefined
  }

  /**
   * What {@link KeyRecovery.areSignedBy} says.
   *
   * @param addresses - Of the keys that may have made the signatures; all are known.
   */
  areSignedBy(signatures: readonly Signed[], addresses: readonly Address[]): boolean[] {
    const known = addresses.map((address) => this.#byAddress.get(address) as Known)
    const answers = this.#areSignedBy(signatures, known)
    for (let i = 0; i < answers.length; i++) if (answers[i]) this.#hasSigned(known[i] as Known)
    this.#widen(signatures.length)
    return answers
  }

  /** Wide and narrow ones apart. */
  #areSignedBy(signatures: readonly Signed[], known: readonly Known[]): boolean[] {
    const areWide = known[0]?.isWide ?? false
    const numbers: number[] = []
    const others: number[] = []
    for (let i = 0; i < known.length; i++) {
      const { number, isWide } = known[i] as Known
      if (isWide === areWide) numbers.push(number as number)
      else others.push(i)
    }
    if (others.length === 0) return this.#module.recovery.areSignedBy(signatures, numbers, areWide)
    const isOther = new Set(others)
    const same = Array.from(known.keys()).filter((i) => !isOther.has(i))
    const answers: boolean[] = []
    for (const [places, wide] of [
      [same, areWide],
      [others, !areWide],
    ] as const) {
      const some = this.#module.recovery.areSignedBy(
        places.map((i) => signatures[i] as Signed),
        places.map((i) => known[i]?.number as number),
        wide,
      )
      for (const [at, place] of places.entries()) answers[place] = some[at] as boolean
    }
    return answers
  }

  /**
   * Counts signatures.
   *
   * @param key - The key that made them, 64 bytes, and its address.
   * @param times - How many, or how many are expected at once.
   */
  count(key: Uint8Array, address: Address, times = 1): void {
    const known = this.#byAddress.get(address) ?? {
      address,
      signatures: 0,
      number: undefined,
      isWide: false,
      last: 0,
    }
    const before = known.signatures
    known.signatures += times
    known.last = this.#signatures += times
    // Keys that signed last are at the end.
    this.#byAddress.delete(address)
    this.#byAddress.set(address, known)
    const isDue = Math.floor(known.signatures / LEARNT_AFTER) > Math.floor(before / LEARNT_AFTER)
    if (known.number === undefined && isDue) {
      known.number = this.#room(false)
      if (known.number !== undefined) this.#module.recovery.learn(known.number, key)
    }
    if (this.#byAddress.size > MAX_COUNTED) this.#forgetOne()
  }

  #hasSigned(known: Known): void {
    known.signatures++
    known.last = ++this.#signatures
    if (this.#widening || known.isWide || known.signatures < WIDE_AFTER) return
    // Where there was no room, it is looked for again.
    if (known.signatures % CHECKS_PER_PART !== 0) return
    const wide = this.#room(true)
    if (wide !== undefined) this.#widening = { known, wide, part: 0 }
  }

  /** Goes on making wide tables, so slowly that no signature waits long for them. */
  #widen(checked: number): void {
    if (!this.#widening) return
    this.#checks += checked
    for (; this.#widening && this.#checks >= CHECKS_PER_PART; this.#checks -= CHECKS_PER_PART)
      this.#makePart(this.#widening)
  }

  #makePart(widening: Widening): void {
    if (this.#generatorPart !== undefined) {
      const isDone = this.#module.recovery.widenGenerator(this.#generatorPart)
      this.#generatorPart = isDone ? undefined : this.#generatorPart + 1
      return
    }
    const { known, wide } = widening
    if (known.number === undefined) {
      // The key has made room for another meanwhile.
      this.#module.wide.push(wide)
      this.#widening = undefined
      return
    }
    if (!this.#module.recovery.widen(wide, known.number, widening.part++)) return
    this.#module.narrow.push(known.number)
    known.number = wide
    known.isWide = true
    this.#widening = undefined
  }

  /** A number for another key; `undefined` if all that have one still sign. */
  #room(isWide: boolean): number | undefined {
    const free = (isWide ? this.#module.wide : this.#module.narrow).pop()
    if (free !== undefined) return free
    let oldest: Known | undefined
    for (const known of this.#byAddress.values()) {
      if (known.number === undefined || known.isWide !== isWide) continue
      if (known.last < (oldest?.last ?? Number.POSITIVE_INFINITY)) oldest = known
    }
    if (!oldest || this.#signatures - oldest.last <= KEPT_FOR) return undefined
    const { number } = oldest
    // The key has to begin anew.
    oldest.number = undefined
    oldest.isWide = false
    oldest.signatures = 0
    return number
  }

  #forgetOne(): void {
    for (const [address, { number }] of this.#byAddress) {
      if (number !== undefined) continue
      this.#byAddress.delete(address)
      return
    }
  }
}

let made: KnownKeys | undefined

/** Known keys of this thread: its module has room for so many, whoever asks. */
export function knownKeys(): KnownKeys {
  made ??= new KnownKeys(() => keyRecoveryFor(2))
  return made
}
