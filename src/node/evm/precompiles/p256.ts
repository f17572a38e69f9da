import type { ExecResult, PrecompileFunc } from '@ethereumjs/evm'
import type { CurveModule } from '#engine/curve-module.ts'
import { P256 } from '#engine/p256.ts'
import { bytesToBigInt, concatBytes, EMPTY_BYTES, padLeft } from '#primitives/bytes.ts'
import type { Curves } from './curves.ts'
import { failedPrecompile } from './failed-precompile.ts'

const GAS = 6900n
const INPUT_BYTES = 160
const TRUE = padLeft(Uint8Array.of(1), 32)

/**
 * Whether a signature of P-256 is valid: a word of 1, or nothing.
 *
 * @param library - The EVM's own, for machines that lack the instructions.
 * @see {@link https://eips.ethereum.org/EIPS/eip-7951 | EIP-7951}
 */
export function p256Verify(curves: Curves, library: PrecompileFunc): PrecompileFunc {
  return (input): ExecResult | Promise<ExecResult> => {
    const { data, gasLimit } = input
    if (GAS > gasLimit) return failedPrecompile('OUT_OF_GAS', gasLimit)
    return curves.withBn254((curve) => {
      if (!curve) return library(input)
      const isValid = data.length === INPUT_BYTES && verify(curve, data)
      return { executionGasUsed: GAS, returnValue: isValid ? TRUE.slice() : EMPTY_BYTES }
    })
  }
}

/** @param data - Digest, r, s, and the key's x and y. */
function verify(curve: CurveModule, data: Uint8Array): boolean {
  const [digest, r, s] = [0, 32, 64].map((at) => bytesToBigInt(data, at, at + 32)) as [bigint, bigint, bigint]
  const { p, order, generator } = P256
  if (r === 0n || r >= order || s === 0n || s >= order) return false
  const inverse = curve.invertScalar(s)
  // An x may be r, or what is r modulo the order.
  const xs = r + order < p ? [r, r + order] : [r]
  const points = concatBytes(generator, data.subarray(96))
  return curve.hasX(points, (digest * inverse) % order, (r * inverse) % order, xs)
}
