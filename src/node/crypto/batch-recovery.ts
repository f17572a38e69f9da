import { type KnownKeys, knownKeys } from '#engine/known-keys.ts'
import type { Address } from '#primitives/hex.ts'
import { recoverKeys, type Signed } from './recovery.ts'
import { addressOf } from './secp256k1.ts'

/** Signatures with one hint for which it pays to recover the first and check the others. */
const MIN_SERIES = 4
/** How often the signatures of a series that are by others are taken for a series. */
const MAX_ROUNDS = 3
/** Groups without a series, at most, after wrong ones. */
const MAX_CAUTION = 64
/** Signatures for which no known key is tried, at most, for each that was by another. */
const MAX_DOUBT = 64
/** Signers that are remembered. */
const MAX_KNOWN = 256

interface Signer {
  readonly key: Uint8Array
  readonly address: Address
}

/** A group of signatures whose senders are being found out. */
interface Group {
  readonly signatures: readonly Signed[]
  readonly hints: readonly number[]
  readonly senders: (Address | undefined)[]
}

/**
 * Recovers addresses. Signatures with the same hint probably have the same signer: if its key signs often, they are checked
 * against it all at once, which takes less than a third of the time. A wrong guess costs time, and nothing else.
 */
export class BatchRecovery {
  /** By hint, those seen last at the end. */
  readonly #known = new Map<number, Signer>()
  #newest: number | undefined
  #keys: Pick<KnownKeys, 'has' | 'areSignedBy' | 'count'> | undefined
  /** Signatures for which no known key is tried that are still to come. */
  #doubtful = 0
  /** Number of those for each wrong one, once most of a group were wrong; doubles with each such group in a row. */
  #doubt = 0
  /** Groups without a series that are still to come. */
  #cautious = 0
  /** Number of those after the next wrong one; doubles with each in a row. */
  #caution = 1

  /** @param keys - Keys that sign often; default: those of this thread. */
  constructor(keys?: Pick<KnownKeys, 'has' | 'areSignedBy' | 'count'>) {
    this.#keys = keys
  }

  /**
   * @param hints - A number for each signature; those with the same one probably have the same signer.
   * @returns The addresses; `undefined` where no key fits.
   */
  recover(signatures: readonly Signed[], hints: readonly number[]): (Address | undefined)[] {
    const group: Group = { signatures, hints, senders: new Array<Address | undefined>(signatures.length) }
    const { first, later, lengths } = seriesOf(Array.from(hints.keys()), hints)
    const isCautious = later.length > 0 && this.#cautious > 0
    if (isCautious) this.#cautious--
    this.#checkFirst(group, isCautious ? Array.from(hints.keys()) : first)
    if (isCautious || later.length === 0) this.#recover(group, Array.from(hints.keys()))
    else this.#checkSeries(group, first, later, lengths)
    return group.senders
  }

  #checkFirst(group: Group, first: readonly number[]): void {
    const known = first.filter((i) => this.#isTried(group.hints[i] as number))
    if (known.length === 0) return
    const wrong = this.#check(group, known)
    if (2 * wrong <= known.length) {
      this.#doubt = 0
    } else {
      this.#doubtful = this.#doubt * wrong
      this.#doubt = Math.min(Math.max(2 * this.#doubt, 1), MAX_DOUBT)
    }
  }

  /**
   * Checks the later signatures of series against the key of the first; those that are by others are series themselves, since
   * a hint may have changed its signer.
   */
  #checkSeries(
    group: Group,
    first: readonly number[],
    later: readonly number[],
    lengths: ReadonlyMap<number, number>,
  ): void {
    this.#recover(group, first, lengths)
    let checked = 0
    let wrong = 0
    let left = later
    for (let round = 0; round < MAX_ROUNDS && left.length > 0; round++) {
      const known = left.filter((i) => this.#knownSigner(group.hints[i] as number))
      const others = this.#check(group, known)
      checked += known.length
      wrong += others
      const unknown = left.filter((i) => group.senders[i] === undefined)
      if (others === 0) {
        left = unknown
        break
      }
      const next = seriesOf(unknown, group.hints)
      this.#recover(group, next.first, next.lengths)
      left = next.later
    }
    this.#recover(group, left)
    if (2 * wrong > checked) {
      this.#cautious = this.#caution
      this.#caution = Math.min(2 * this.#caution, MAX_CAUTION)
    } else if (checked > 0) {
      this.#caution = 1
    }
  }

  /**
   * Recovers those of which the sender is not known by now.
   *
   * @param lengths - How many signatures by the signer of a hint there probably are; default, and for less than a series: one.
   */
  #recover(
    { signatures, hints, senders }: Group,
    among: readonly number[],
    lengths?: ReadonlyMap<number, number>,
  ): void {
    const places = among.filter((i) => senders[i] === undefined)
    if (places.length === 0) return
    for (const [at, key] of recoverKeys(places.map((i) => signatures[i] as Signed)).entries()) {
      const place = places[at] as number
      const hint = hints[place] as number
      const signer = key && { key, address: addressOf(key) }
      senders[place] = signer?.address
      this.#remember(hint, signer)
      const length = lengths?.get(hint) ?? 1
      if (signer) this.#keysThatSign.count(key, signer.address, length < MIN_SERIES ? 1 : length)
    }
  }

  /** Checks signatures against the known keys of their hints. @returns How many are by others. */
  #check({ signatures, hints, senders }: Group, places: readonly number[]): number {
    if (places.length === 0) return 0
    const signers = places.map((i) => this.#known.get(hints[i] as number) as Signer)
    const answers = this.#keysThatSign.areSignedBy(
      places.length === signatures.length ? signatures : places.map((i) => signatures[i] as Signed),
      signers.map(({ address }) => address),
    )
    let wrong = 0
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number
      if (answers[at]) {
        senders[place] = signers[at]?.address
        this.#remember(hints[place] as number, signers[at])
      } else {
        wrong++
      }
    }
    return wrong
  }

  get #keysThatSign() {
    this.#keys ??= knownKeys()
    return this.#keys
  }

  /** The hint's signer, if its key is known. */
  #knownSigner(hint: number): Signer | undefined {
    const signer = this.#known.get(hint)
    return signer && this.#keysThatSign.has(signer.address) ? signer : undefined
  }

  #isTried(hint: number): boolean {
    if (!this.#knownSigner(hint)) return false
    if (this.#doubtful === 0) return true
    this.#doubtful--
    return false
  }

  #remember(hint: number, signer: Signer | undefined): void {
    if (hint === this.#newest && this.#known.get(hint) === signer) return
    this.#known.delete(hint)
    if (!signer) return
    this.#known.set(hint, signer)
    this.#newest = hint
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value as number)
  }
}

/**
 * The first signature of each series, and all that belong to none; and the later ones of all series.
 *
 * @param places - Of the signatures that are looked at.
 * @returns Also how many of them have each hint.
 */
function seriesOf(places: readonly number[], hints: readonly number[]) {
  const lengths = new Map<number, number>()
  const later: number[] = []
  if (places.length < MIN_SERIES) return { first: places, later, lengths }
  for (const i of places) lengths.set(hints[i] as number, (lengths.get(hints[i] as number) ?? 0) + 1)
  const begun = new Set<number>()
  const first = places.filter((i) => {
    const hint = hints[i] as number
    const isLater = begun.has(hint) && (lengths.get(hint) as number) >= MIN_SERIES
    begun.add(hint)
    if (isLater) later.push(i)
    return !isLater
  })
  return { first, later, lengths }
}
