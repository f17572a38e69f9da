import { bigIntToBytes, bytesToBigInt, concatBytes, padLeft } from '#primitives/bytes.ts'
import { invariant } from '#primitives/invariant.ts'
import type { ChainSpec } from './chain-spec.ts'

/** The base fee rule for the blocks after a header. */
export interface BaseFeeParams {
  readonly denominator: bigint
  readonly elasticity: bigint
  /** Wei per gas. */
  readonly minBaseFee: bigint
}

const VERSION = 1
/** Length of {@link encodeExtraData}. */
export const EXTRA_DATA_BYTES = 17

/** 17 bytes: version ‖ denominator u32 ‖ elasticity u32 ‖ minimum base fee u64. */
export function encodeExtraData({ denominator, elasticity, minBaseFee }: BaseFeeParams): Uint8Array {
  return concatBytes(
    Uint8Array.of(VERSION),
    padLeft(bigIntToBytes(denominator), 4),
    padLeft(bigIntToBytes(elasticity), 4),
    padLeft(bigIntToBytes(minBaseFee), 8),
  )
}

/** Whether {@link encodeExtraData} may have written it. */
export function isExtraData(extraData: Uint8Array): boolean {
  return extraData.length === EXTRA_DATA_BYTES && extraData[0] === VERSION
}

/** The parameters that {@link encodeExtraData} wrote. */
export function decodeExtraData(extraData: Uint8Array): BaseFeeParams {
  invariant(isExtraData(extraData), 'extraData is not of version 1')
  return {
    denominator: bytesToBigInt(extraData.subarray(1, 5)),
    elasticity: bytesToBigInt(extraData.subarray(5, 9)),
    minBaseFee: bytesToBigInt(extraData.subarray(9, 17)),
  }
}

/** The header field with the base fee rule for a block's children. */
export function extraDataOf(spec: ChainSpec): Uint8Array {
  return encodeExtraData({
    denominator: BigInt(spec.baseFeeDenominator),
    elasticity: BigInt(spec.baseFeeElasticity),
    minBaseFee: spec.minBaseFee,
  })
}
