import type { ExecResult, PrecompileFunc } from '@ethereumjs/evm'
import type { BadPoint, CurveModule } from '#engine/curve-module.ts'
import { valid } from './curve-points.ts'
import type { Curves } from './curves.ts'
import { failedPrecompile } from './failed-precompile.ts'

/** A precompile that takes a fixed time for its fixed price. */
interface Fixed {
  readonly price: `bls12381${string}Gas`
  readonly size: number
  readonly run: (curve: CurveModule, data: Uint8Array) => Uint8Array | BadPoint
}

const ELEMENT = 64
/** Bytes in front of each element that are zero. */
const PADDING = 16

/** By the number of the precompile. @see {@link https://eips.ethereum.org/EIPS/eip-2537 | EIP-2537} */
const FIXED: Readonly<Record<number, Fixed>> = {
  11: { price: 'bls12381G1AddGas', size: 4 * ELEMENT, run: (curve, data) => curve.addG1(data) },
  13: { price: 'bls12381G2AddGas', size: 8 * ELEMENT, run: (curve, data) => curve.addG2(data) },
  16: {
    price: 'bls12381MapG1Gas',
    size: ELEMENT,
    run: (curve, data) => (isPadded(data) ? curve.mapG1(data.subarray(PADDING)) : 'not-in-field'),
  },
  17: {
    price: 'bls12381MapG2Gas',
    size: 2 * ELEMENT,
    run: (curve, data) => (isPadded(data) ? curve.mapG2(data) : 'not-in-field'),
  },
}

/**
 * Sums of two points of BLS12-381 and maps to its groups, without the library's overhead, which takes as long as a sum.
 *
 * @param library - The EVM's own, for machines that lack the instructions.
 */
export function blsOfFixedPrice(number: number, curves: Curves, library: PrecompileFunc): PrecompileFunc {
  const fixed = FIXED[number]
  if (!fixed) return library
  return (input): ExecResult | Promise<ExecResult> => {
    const { data, gasLimit, common } = input
    const executionGasUsed = common.param(fixed.price)
    if (executionGasUsed > gasLimit) return failedPrecompile('OUT_OF_GAS', gasLimit)
    if (data.length !== fixed.size) return failedPrecompile('BLS_12_381_INVALID_INPUT_LENGTH', gasLimit)
    return curves.withBls12((curve) => {
      if (!curve) return library(input)
      return { executionGasUsed, returnValue: valid(fixed.run(curve, data)) }
    })
  }
}

function isPadded(data: Uint8Array): boolean {
  for (let at = 0; at < data.length; at += ELEMENT) {
    for (let i = at; i < at + PADDING; i++) if (data[i] !== 0) return false
  }
  return true
}
