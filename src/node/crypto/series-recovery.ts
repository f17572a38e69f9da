import type { Address } from '#primitives/hex.ts'
import { recoverKeys, type Signed } from './recovery.ts'
import { addressOf } from './secp256k1.ts'
import { areSignedBy } from './signer-check.ts'

/** Signatures of a series for which a guess pays: its key is known, or has to be recovered from the first of them. */
const FEWEST = { known: 2, unknown: 4 }
/** Guesses for which the equation pays. */
const FEWEST_GUESSES = 12
/** Groups without a guess, at most, after wrong ones. */
const MOST_CAUTIOUS = 64
/** Signers that are remembered. */
const MOST_KNOWN = 256

interface Signer {
  readonly key: Uint8Array
  readonly address: Address
}

/**
 * Recovers addresses from signatures of which some are thought to have the same signer: one of them is recovered, and the
 * others are checked against its key all at once, see {@link areSignedBy}. A wrong guess costs time, and nothing else.
 */
export class SeriesRecovery {
  /** By series, those seen last at the end. */
  readonly #known = new Map<number, Signer>()
  readonly #areSignedBy: typeof areSignedBy
  /** Groups without a guess that are still to come. */
  #cautious = 0
  /** How many of them come after the next wrong guess: twice as many each time in a row. */
  #caution = 1

  /** @param check - How guesses are checked. */
  constructor(check = areSignedBy) {
    this.#areSignedBy = check
  }

  /**
   * @param series - For each signature a number that those share which are thought to be of the same signer.
   * @returns The addresses; `undefined` where no key fits.
   */
  recover(signatures: readonly Signed[], series: readonly number[]): (Address | undefined)[] {
    const signers = new Array<Signer | undefined>(signatures.length)
    const recover = (places: readonly number[]) => {
      for (const [at, key] of recoverKeys(places.map((i) => signatures[i] as Signed)).entries()) {
        const place = places[at] as number
        signers[place] = key && { key, address: addressOf(key) }
        this.#remember(series[place] as number, signers[place])
      }
    }
    const isGuessed = this.#guesses(series)
    const places = Array.from(signatures.keys())
    recover(places.filter((i) => !isGuessed[i]))
    const guessed = places.filter((i) => isGuessed[i])
    if (guessed.length > 0 && !this.#check(guessed, signatures, series, signers)) recover(guessed)
    return signers.map((signer) => signer?.address)
  }

  /** Which signatures have a signer who is known, or will be from those that have none. */
  #guesses(series: readonly number[]): readonly boolean[] {
    if (this.#cautious > 0) {
      this.#cautious--
      return []
    }
    const counts = new Map<number, number>()
    for (const one of series) counts.set(one, (counts.get(one) ?? 0) + 1)
    const hasSigner = new Set(this.#known.keys())
    const isGuessed = series.map((one) => {
      const known = hasSigner.has(one)
      hasSigner.add(one)
      return known && (counts.get(one) as number) >= (this.#known.has(one) ? FEWEST.known : FEWEST.unknown)
    })
    return isGuessed.filter(Boolean).length < FEWEST_GUESSES ? [] : isGuessed
  }

  /** @returns Whether all of them are right; then their signers are written down. */
  #check(
    guessed: readonly number[],
    signatures: readonly Signed[],
    series: readonly number[],
    signers: (Signer | undefined)[],
  ): boolean {
    const guesses = guessed.map((i) => this.#known.get(series[i] as number))
    const isRight =
      guesses.every((signer) => signer !== undefined) &&
      this.#areSignedBy(
        guessed.map((i) => signatures[i] as Signed),
        guesses.map(({ key }) => key),
      )
    if (isRight) {
      this.#caution = 1
      for (const [at, i] of guessed.entries()) signers[i] = guesses[at]
    } else {
      this.#cautious = this.#caution
      this.#caution = Math.min(2 * this.#caution, MOST_CAUTIOUS)
    }
    return isRight
  }

  #remember(series: number, signer: Signer | undefined): void {
    this.#known.delete(series)
    if (!signer) return
    this.#known.set(series, signer)
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value as number)
  }
}
