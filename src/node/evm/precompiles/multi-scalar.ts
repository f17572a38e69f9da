import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import type { CurveModule } from '#engine/curve-module.ts'
import { bytesToBigInt } from '#primitives/bytes.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { BadPointError, BLS12_381, decodeG1, decodeG2, encodeG1, encodeG2, inSubgroup } from './curve-points.ts'

const { curve, fieldBytes } = BLS12_381
const SCALAR_BYTES = 32

/**
 * The sum of points of G1, each multiplied by the scalar after it. May pause after each.
 *
 * @param module - The curve in WebAssembly, if there is one.
 * @throws {BadPointError} If a point is not in the group.
 * @see {@link https://eips.ethereum.org/EIPS/eip-2537 | EIP-2537}
 */
export async function multiplyG1(
  input: Uint8Array,
  guard: ExecutionGuard,
  module: CurveModule | undefined,
): Promise<Uint8Array> {
  if (module) {
    module.beginSum('G1')
    await addMultiples(input, 2 * fieldBytes, (point, scalar) => module.addMultipleG1(point, scalar), guard)
    return module.finishSumG1()
  }
  const { ZERO } = curve.G1.Point
  const sum = await sumOfProducts(input, 2 * fieldBytes, (bytes) => decodeG1(BLS12_381, bytes), ZERO, guard)
  return encodeG1(BLS12_381, sum)
}

/** Multi-scalar multiplication in G2. */
export async function multiplyG2(
  input: Uint8Array,
  guard: ExecutionGuard,
  module: CurveModule | undefined,
): Promise<Uint8Array> {
  if (module) {
    module.beginSum('G2')
    await addMultiples(input, 4 * fieldBytes, (point, scalar) => module.addMultipleG2(point, scalar), guard)
    return module.finishSumG2()
  }
  const { ZERO } = curve.G2.Point
  const sum = await sumOfProducts(input, 4 * fieldBytes, (bytes) => decodeG2(BLS12_381, bytes), ZERO, guard)
  return encodeG2(BLS12_381, sum)
}

async function addMultiples(
  input: Uint8Array,
  pointBytes: number,
  add: (point: Uint8Array, scalar: bigint) => ReturnType<CurveModule['addMultipleG1']>,
  guard: ExecutionGuard,
): Promise<void> {
  for (let at = 0; at < input.length; at += pointBytes + SCALAR_BYTES) {
    await guard.checkpoint()
    const scalar = bytesToBigInt(input, at + pointBytes, at + pointBytes + SCALAR_BYTES) % curve.fields.Fr.ORDER
    const outcome = add(input.subarray(at, at + pointBytes), scalar)
    if (outcome !== 'good' && outcome !== 'infinity') throw new BadPointError(outcome)
  }
}

async function sumOfProducts<Field>(
  input: Uint8Array,
  pointBytes: number,
  decode: (bytes: Uint8Array) => WeierstrassPoint<Field>,
  zero: WeierstrassPoint<Field>,
  guard: ExecutionGuard,
): Promise<WeierstrassPoint<Field>> {
  let sum = zero
  for (let at = 0; at < input.length; at += pointBytes + SCALAR_BYTES) {
    await guard.checkpoint()
    const point = inSubgroup(decode(input.subarray(at, at + pointBytes)))
    const scalar = bytesToBigInt(input.subarray(at + pointBytes, at + pointBytes + SCALAR_BYTES))
    // A scalar may be any word.
    sum = sum.add(point.multiplyUnsafe(curve.fields.Fr.create(scalar)))
  }
  return sum
}
