import { decodeExtraData } from './extra-data.ts'

/** The parent's fields that determine the next base fee. */
export interface BaseFeeParent {
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  /** Wei per gas. */
  readonly baseFeePerGas: bigint
  /** Contains the parameters of the rule. */
  readonly extraData: Uint8Array
}

/**
 * Base fee of the block that follows `parent`.
 *
 * @returns Wei per gas, never below the minimum in the parent's `extraData`.
 * @throws {RangeError} If the gas target is zero.
 * @see {@link https://eips.ethereum.org/EIPS/eip-1559 | EIP-1559}
 */
export function nextBaseFee(parent: BaseFeeParent): bigint {
  const { denominator, elasticity, minBaseFee } = decodeExtraData(parent.extraData)
  const fee = adjust(parent, parent.gasLimit / elasticity, denominator)
  return fee > minBaseFee ? fee : minBaseFee
}

function adjust({ gasUsed, baseFeePerGas }: BaseFeeParent, target: bigint, denominator: bigint): bigint {
  if (gasUsed === target) return baseFeePerGas
  if (gasUsed > target) {
    const rise = (baseFeePerGas * (gasUsed - target)) / target / denominator
    return baseFeePerGas + (rise > 1n ? rise : 1n)
  }
  return baseFeePerGas - (baseFeePerGas * (target - gasUsed)) / target / denominator
}
