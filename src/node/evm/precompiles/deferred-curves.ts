import { createEVM, type EVM, type EVMOpts, NobleBLS, NobleBN254 } from '@ethereumjs/evm'
import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { BadPointError, BLS12_381, BN254, decodeG1, decodeG2, encodeG1, encodeG2 } from './curve-points.ts'
import type { Curves } from './curves.ts'
import type { Deferral } from './deferral.ts'
import { multiplyG1, multiplyG2 } from './multi-scalar.ts'
import { pairingCheck } from './pairing-check.ts'

/** An EVM whose precompiles defer the long work on curves. */
export async function createDeferringEvm(options: EVMOpts, deferral: Deferral, curves: Curves): Promise<EVM> {
  const evm = await createEVM({ ...options, bls: new DeferredBls(deferral, curves) })
  // There is an option for it, but `createEVM` overwrites it.
  evm['_bn254'] = new DeferredBn254(deferral, curves)
  return evm
}

/** BN254 for the EVM, with deferred pairings. */
class DeferredBn254 extends NobleBN254 {
  readonly #deferral: Deferral
  readonly #curves: Curves

  constructor(deferral: Deferral, curves: Curves) {
    super()
    this.#deferral = deferral
    this.#curves = curves
  }

  override pairing(input: Uint8Array): Uint8Array {
    return this.#deferral.defer((guard) => this.#curves.withBn254((curve) => pairingCheck(BN254, input, guard, curve)))
  }
}

/** BLS12-381 for the EVM, deferred. Sums of two points and maps get here only where WebAssembly does not do them. */
class DeferredBls extends NobleBLS {
  readonly #deferral: Deferral
  readonly #curves: Curves

  constructor(deferral: Deferral, curves: Curves) {
    super()
    this.#deferral = deferral
    this.#curves = curves
  }

  override addG1(input: Uint8Array): Uint8Array {
    return this.#deferral.defer(() => addG1(input))
  }

  override addG2(input: Uint8Array): Uint8Array {
    return this.#deferral.defer(() => addG2(input))
  }

  override msmG1(input: Uint8Array): Uint8Array {
    return this.#deferral.defer((guard) => this.#curves.withBls12((curve) => multiplyG1(input, guard, curve)))
  }

  override msmG2(input: Uint8Array): Uint8Array {
    return this.#deferral.defer((guard) => this.#curves.withBls12((curve) => multiplyG2(input, guard, curve)))
  }

  override mapFPtoG1(input: Uint8Array): Uint8Array {
    if (!BLS12_381.curve.fields.Fp.isValid(bytesToBigInt(input))) throw new BadPointError('not-in-field')
    return this.#deferral.defer(() => super.mapFPtoG1(input))
  }

  override mapFP2toG2(input: Uint8Array): Uint8Array {
    return this.#deferral.defer(() => super.mapFP2toG2(input))
  }

  override pairingCheck(input: Uint8Array): Uint8Array {
    return this.#deferral.defer((guard) =>
      this.#curves.withBls12((curve) => pairingCheck(BLS12_381, input, guard, curve)),
    )
  }
}

const { fieldBytes } = BLS12_381

/**
 * The sum of two points of BLS12-381 over the base field. The subgroup is not checked, since it does not matter: the
 * check would take many times as long as the addition, and far longer than its gas pays for.
 *
 * @throws {BadPointError} If the input is not two points of the curve.
 * @see {@link https://eips.ethereum.org/EIPS/eip-2537 | EIP-2537}
 */
function addG1(input: Uint8Array): Uint8Array {
  return encodeG1(
    BLS12_381,
    sum(input, 2 * fieldBytes, (bytes) => decodeG1(BLS12_381, bytes)),
  )
}

/** Adds two points over the quadratic extension of the field. */
function addG2(input: Uint8Array): Uint8Array {
  return encodeG2(
    BLS12_381,
    sum(input, 4 * fieldBytes, (bytes) => decodeG2(BLS12_381, bytes)),
  )
}

function sum<Field>(
  input: Uint8Array,
  pointBytes: number,
  decode: (bytes: Uint8Array) => WeierstrassPoint<Field>,
): WeierstrassPoint<Field> {
  return decode(input.subarray(0, pointBytes)).add(decode(input.subarray(pointBytes, 2 * pointBytes)))
}
