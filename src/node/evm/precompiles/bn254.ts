import type { ExecResult, PrecompileFunc } from '@ethereumjs/evm'
import type { CurveModule } from '#engine/curve-module.ts'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { BN254, decodeG1, encodeG1, valid } from './curve-points.ts'
import type { Curves } from './curves.ts'
import { failedPrecompile } from './failed-precompile.ts'

/** As of EIP-1108. */
const [ADD_GAS, MUL_GAS] = [150n, 6000n]
const POINT_BYTES = 64
const ORDER = BN254.curve.fields.Fr.ORDER

/**
 * A short vector (A₁, B₁) with A₁ + B₁λ ≡ 0 modulo the order, where λ is what BN254's β multiplies by, and (A₂, B₂) = (B₂', …)
 * likewise: scalars are written as k₀ + k₁λ, each of half the length.
 */
const [A1, B1] = [0x89d3256894d213e3n, -0x6f4d8248eeb859fc8211bbeb7d4f1128n]
const [A2, B2] = [0x6f4d8248eeb859fd0be4e1541221250bn, 0x89d3256894d213e3n]

/** The sum of two points of BN254. @see {@link https://eips.ethereum.org/EIPS/eip-196 | EIP-196} */
export function bn254Add(curves: Curves): PrecompileFunc {
  return priced(ADD_GAS, 2 * POINT_BYTES, (input) =>
    curves.withBn254((curve) => (curve ? valid(curve.addG1(input)) : addSlowly(input))),
  )
}

/** A point of BN254 times a scalar, which may be any word. */
export function bn254Mul(curves: Curves): PrecompileFunc {
  return priced(MUL_GAS, POINT_BYTES + 32, (input) =>
    curves.withBn254((curve) => (curve ? multiply(curve, input) : multiplySlowly(input))),
  )
}

/** @param size - Bytes of the input; more are ignored, and zeros follow fewer. */
function priced(
  executionGasUsed: bigint,
  size: number,
  run: (input: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): PrecompileFunc {
  return ({ data, gasLimit }): ExecResult | Promise<ExecResult> => {
    if (executionGasUsed > gasLimit) return failedPrecompile('OUT_OF_GAS', gasLimit)
    const output = run(data.length === size ? data : padded(data, size))
    if (output instanceof Uint8Array) return { executionGasUsed, returnValue: output }
    return output.then((returnValue) => ({ executionGasUsed, returnValue }))
  }
}

function padded(data: Uint8Array, size: number): Uint8Array {
  const input = new Uint8Array(size)
  input.set(data.subarray(0, size))
  return input
}

function multiply(curve: CurveModule, input: Uint8Array): Uint8Array {
  const scalar = bytesToBigInt(input.subarray(POINT_BYTES)) % ORDER
  const first = nearest(B2 * scalar)
  const second = nearest(-B1 * scalar)
  const [k0, k1] = [scalar - first * A1 - second * A2, -first * B1 - second * B2]
  return valid(curve.multiplyG1(input.subarray(0, POINT_BYTES), k0, k1))
}

/** A non-negative product, divided by the order. */
function nearest(product: bigint): bigint {
  return (product + ORDER / 2n) / ORDER
}

function addSlowly(input: Uint8Array): Uint8Array {
  const [first, second] = [input.subarray(0, POINT_BYTES), input.subarray(POINT_BYTES)]
  return encodeG1(BN254, decodeG1(BN254, first).add(decodeG1(BN254, second)))
}

function multiplySlowly(input: Uint8Array): Uint8Array {
  const point = decodeG1(BN254, input.subarray(0, POINT_BYTES))
  return encodeG1(BN254, point.multiplyUnsafe(bytesToBigInt(input.subarray(POINT_BYTES)) % ORDER))
}
