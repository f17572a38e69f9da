import { createEVM, type EVM, type EVMOpts, NobleBLS, NobleBN254 } from '@ethereumjs/evm'
import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { BLS12_381, BN254, decodeG1, decodeG2, encodeG1, encodeG2 } from './curve-points.ts'
import type { Deferral } from './deferral.ts'
import { multiplyG1, multiplyG2 } from './multi-scalar.ts'
import { pairingCheck } from './pairing-check.ts'

/** An EVM whose precompiles defer the long work on curves. */
export async function createDeferringEvm(options: EVMOpts, deferral: Deferral): Promise<EVM> {
  const evm = await createEVM({ ...options, bls: new DeferredBls(deferral) })
  // There is an option for it, but `createEVM` overwrites it.
  evm['_bn254'] = new DeferredBn254(deferral)
  return evm
}

/** BN254 for the EVM, with deferred pairings. */
class DeferredBn254 extends NobleBN254 {
  readonly #deferral: Deferral

  constructor(deferral: Deferral) {
    super()
    this.#deferral = deferral
  }

  override pairing(input: Uint8Array): Uint8Array {
    return this.#deferral.defer((guard) => pairingCheck(BN254, input, guard))
  }
}

/** BLS12-381 for the EVM; everything except mapping is deferred. */
class DeferredBls extends NobleBLS {
  readonly #deferral: Deferral

  constructor(deferral: Deferral) {
    super()
    this.#deferral = deferral
  }

  override addG1(input: Uint8Array): Uint8Array {
    return this.#deferral.defer(async () => addG1(input))
  }

  override addG2(input: Uint8Array): Uint8Array {
    return this.#deferral.defer(async () => addG2(input))
  }

  override msmG1(input: Uint8Array): Uint8Array {
    return this.#deferral.defer((guard) => multiplyG1(input, guard))
  }

  override msmG2(input: Uint8Array): Uint8Array {
    return this.#deferral.defer((guard) => multiplyG2(input, guard))
  }

  override pairingCheck(input: Uint8Array): Uint8Array {
    return this.#deferral.defer((guard) => pairingCheck(BLS12_381, input, guard))
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
