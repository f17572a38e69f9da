import type { CurveModule } from '#engine/curve-module.ts'

/** A module, or nothing if the library has to do its work. */
type MaybeCurve = CurveModule | undefined

/**
 * The curves in WebAssembly of one EVM, each loaded when a precompile first needs it. A product of pairings is made over several
 * turns, so that EVMs share no instance.
 */
export class Curves {
  readonly #bn254 = new LoadedOnce(async () => (await import('#engine/bn254.ts')).createBn254())
  readonly #bls12 = new LoadedOnce(async () => (await import('#engine/bls12-381.ts')).createBls12())

  /** Passes BN254 and P-256 on. */
  withBn254<Result>(work: (curve: MaybeCurve) => Result): Result | Promise<Awaited<Result>> {
    return this.#bn254.pass(work)
  }

  /** Passes BLS12-381 on. */
  withBls12<Result>(work: (curve: MaybeCurve) => Result): Result | Promise<Awaited<Result>> {
    return this.#bls12.pass(work)
  }
}

class LoadedOnce {
  readonly #load: () => Promise<MaybeCurve>
  #loaded: { readonly curve: MaybeCurve } | undefined

  constructor(load: () => Promise<MaybeCurve>) {
    this.#load = load
  }

  pass<Result>(work: (curve: MaybeCurve) => Result): Result | Promise<Awaited<Result>> {
    return this.#loaded ? work(this.#loaded.curve) : this.#loadAndPass(work)
  }

  async #loadAndPass<Result>(work: (curve: MaybeCurve) => Result): Promise<Awaited<Result>> {
    let curve: MaybeCurve
    try {
      curve = await this.#load()
      this.#loaded = { curve }
    } catch {
      // Without the script, which a page may have to download, the library gives the same answers, if slowly. The next call
      // tries again.
    }
    return await work(curve)
  }
}
