import { type KnownKeys, knownKeys } from '#engine/known-keys.ts'
import type { Address } from '#primitives/hex.ts'
import { recoverKeys, type Signed } from './recovery.ts'
import { addressOf } from './secp256k1.ts'
import { areSignedBy } from './signer-check.ts'

/** Signatures with one hint for which a guess pays: the key is known, or has to be recovered from the first of them. */
const MIN_SIGNATURES = { known: 2, unknown: 4 }
/** Guesses for which the equation pays. */
const MIN_GUESSES = 12
/** Groups without a guess, at most, after wrong ones. */
const MAX_CAUTIOUS = 64
/** Signatures for which known keys are not tried, at most, after one was of another. */
const MAX_DOUBTFUL = 64
/** Signers that are remembered. */
const MAX_KNOWN = 256

interface Signer {
  readonly key: Uint8Array
  readonly address: Address
}

/**
 * Recovers addresses with batch verification: of signatures that probably have the same signer one is recovered, and the
 * others are checked against its key all at once, see {@link areSignedBy}. Where there are too few for that, they are
 * checked one by one against keys that sign often. A wrong guess costs time, and nothing else.
 */
export class BatchRecovery {
  /** By hint, those seen last at the end. */
  readonly #known = new Map<number, Signer>()
  readonly #areSignedBy: typeof areSignedBy
  /** Groups without a guess that are still to come. */
  #cautious = 0
  /** Number of groups without a guess after the next wrong one; doubles with each in a row. */
  #caution = 1
  /** Signatures for which no known key is tried that are still to come. */
  #doubtful = 0
  /** Number of those after the next wrong one; doubles with each in a row. */
  #doubt = 1
  #keys: Pick<KnownKeys, 'isSignedBy' | 'count'> | undefined

  /**
   * @param check - How guesses are checked.
   * @param keys - Keys that sign often; default: those of this thread.
   */
  constructor(check = areSignedBy, keys?: Pick<KnownKeys, 'isSignedBy' | 'count'>) {
    this.#areSignedBy = check
    this.#keys = keys
  }

  /**
   * @param hints - A number for each signature; those with the same one probably have the same signer.
   * @returns The addresses; `undefined` where no key fits.
   */
  recover(signatures: readonly Signed[], hints: readonly number[]): (Address | undefined)[] {
    const signers = new Array<Signer | undefined>(signatures.length)
    const recover = (places: readonly number[]) => {
      this.#keys ??= knownKeys()
      const unknown = places.filter((i) => {
        signers[i] = this.#knownSigner(signatures[i] as Signed, hints[i] as number)
        return signers[i] === undefined
      })
      if (unknown.length === 0) return
      for (const [at, key] of recoverKeys(unknown.map((i) => signatures[i] as Signed)).entries()) {
        const place = unknown[at] as number
        signers[place] = key && { key, address: addressOf(key) }
        this.#remember(hints[place] as number, signers[place])
        if (signers[place]) this.#keys.count(signers[place].key, signers[place].address)
      }
    }
    /** Whether all are by the signers of their hints; then their signers are set. */
    const check = (places: readonly number[]) => {
      const guesses = places.map((i) => this.#known.get(hints[i] as number))
      const isRight =
        guesses.every((signer) => signer !== undefined) &&
        this.#areSignedBy(
          places.map((i) => signatures[i] as Signed),
          guesses.map(({ key }) => key),
        )
      if (isRight) for (const [at, i] of places.entries()) signers[i] = guesses[at]
      return isRight
    }
    const { guessed, others } = this.#guesses(hints)
    recover(others)
    if (guessed.length === 0) return addressesOf(signers)
    if (check(guessed)) {
      this.#caution = 1
      return addressesOf(signers)
    }
    // A hint may have changed its signer: recover one signature for each hint, and check the others again.
    const { first, later } = firstOfEach(guessed, hints)
    recover(first)
    const pays = later.length >= Math.max(MIN_GUESSES, MIN_SIGNATURES.unknown * first.length)
    if (!pays || !check(later)) {
      recover(later)
      this.#cautious = this.#caution
      this.#caution = Math.min(2 * this.#caution, MAX_CAUTIOUS)
    }
    return addressesOf(signers)
  }

  /** Splits the signatures: those whose signer is known, or will be after the others are recovered. */
  #guesses(hints: readonly number[]): { readonly guessed: readonly number[]; readonly others: readonly number[] } {
    const all = Array.from(hints.keys())
    if (this.#cautious > 0) {
      this.#cautious--
      return { guessed: [], others: all }
    }
    const counts = new Map<number, number>()
    for (const one of hints) counts.set(one, (counts.get(one) ?? 0) + 1)
    const hasSigner = new Set(this.#known.keys())
    const isGuessed = hints.map((one) => {
      const known = hasSigner.has(one)
      hasSigner.add(one)
      return (
        known && (counts.get(one) as number) >= (this.#known.has(one) ? MIN_SIGNATURES.known : MIN_SIGNATURES.unknown)
      )
    })
    const guessed = all.filter((i) => isGuessed[i])
    return guessed.length < MIN_GUESSES
      ? { guessed: [], others: all }
      : { guessed, others: all.filter((i) => !isGuessed[i]) }
  }

  /** The hint's signer, if its key is known and has made the signature. */
  #knownSigner(signature: Signed, hint: number): Signer | undefined {
    const signer = this.#known.get(hint)
    if (!signer) return undefined
    if (this.#doubtful > 0) {
      this.#doubtful--
      return undefined
    }
    const isRight = this.#keys?.isSignedBy(signature, signer.address)
    if (isRight) {
      this.#doubt = 1
      this.#remember(hint, signer)
      return signer
    }
    if (isRight === false) {
      this.#doubtful = this.#doubt
      this.#doubt = Math.min(2 * this.#doubt, MAX_DOUBTFUL)
    }
    return undefined
  }

  #remember(hint: number, signer: Signer | undefined): void {
    this.#known.delete(hint)
    if (!signer) return
    this.#known.set(hint, signer)
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value as number)
  }
}

function firstOfEach(places: readonly number[], hints: readonly number[]) {
  const seen = new Set<number>()
  const first: number[] = []
  const later: number[] = []
  for (const i of places) {
    const one = hints[i] as number
    if (seen.has(one)) later.push(i)
    else first.push(i)
    seen.add(one)
  }
  return { first, later }
}

function addressesOf(signers: readonly (Signer | undefined)[]): (Address | undefined)[] {
  return signers.map((signer) => signer?.address)
}
