import type { CurveModule } from '#engine/curve-module.ts'
import { EMPTY_BYTES, padLeft } from '#primitives/bytes.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { BadPointError, type CurveEncoding, decodeG1, decodeG2, inSubgroup } from './curve-points.ts'

const TRUE = padLeft(Uint8Array.of(1), 32)
const FALSE = padLeft(EMPTY_BYTES, 32)

/**
 * Whether the product of the pairings of all pairs is one, as a word. May pause after each pair: the Miller loops are
 * multiplied one by one, and the final exponentiation is done once.
 *
 * @param input - Any number of pairs, each a point of G1 and one of G2.
 * @param module - The curve in WebAssembly, if there is one.
 * @throws {BadPointError} If a point is not in its group.
 */
export async function pairingCheck(
  encoding: CurveEncoding,
  input: Uint8Array,
  guard: ExecutionGuard,
  module: CurveModule | undefined,
): Promise<Uint8Array> {
  const isOne = module
    ? await fastPairingCheck(module, encoding, input, guard)
    : await slowPairingCheck(encoding, input, guard)
  return isOne ? TRUE.slice() : FALSE.slice()
}

async function fastPairingCheck(
  module: CurveModule,
  { fieldBytes }: CurveEncoding,
  input: Uint8Array,
  guard: ExecutionGuard,
): Promise<boolean> {
  module.beginPairings()
  for (let at = 0; at < input.length; at += 6 * fieldBytes) {
    await guard.checkpoint()
    const outcome = module.addPair(input.subarray(at, at + 6 * fieldBytes))
    if (outcome !== 'good' && outcome !== 'infinity') throw new BadPointError(outcome)
    if (!module.isFull) continue
    await guard.checkpoint()
    module.multiplyPairings()
  }
  await guard.checkpoint()
  module.multiplyPairings()
  await guard.checkpoint()
  return module.isProductOne()
}

async function slowPairingCheck(encoding: CurveEncoding, input: Uint8Array, guard: ExecutionGuard): Promise<boolean> {
  const { curve, fieldBytes } = encoding
  const { Fp12 } = curve.fields
  let product = Fp12.ONE
  for (let at = 0; at < input.length; at += 6 * fieldBytes) {
    await guard.checkpoint()
    const g1 = inSubgroup(decodeG1(encoding, input.subarray(at, at + 2 * fieldBytes)))
    const g2 = inSubgroup(decodeG2(encoding, input.subarray(at + 2 * fieldBytes, at + 6 * fieldBytes)))
    // A pairing with the point at infinity is one.
    if (g1.is0() || g2.is0()) continue
    const { x, y } = g1.toAffine()
    product = Fp12.mul(product, curve.millerLoopBatch([[curve.utils.calcPairingPrecomputes(g2), x, y]]))
  }
  await guard.checkpoint()
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE)
}
