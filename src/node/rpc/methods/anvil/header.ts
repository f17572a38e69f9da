import type { Address, Hash } from '#primitives/hex.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { address, hash } from '../../params/hex-params.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { wei } from './anvil-params.ts'

const gasLimit = integerWithin(OPTION_RANGES.gasLimit.min, OPTION_RANGES.gasLimit.max)

const setBaseFee = ({ control }: CallerContext, baseFeePerGas: bigint) =>
  control.setNextHeader({ baseFeePerGas }, false)

const setCoinbase = ({ control }: CallerContext, coinbase: Address) => control.setNextHeader({ coinbase }, true)

const setMixHash = ({ control }: CallerContext, mixHash: Hash) => control.setNextHeader({ mixHash }, false)

const setGasLimit = answeringTrue(({ control }, limit: number) =>
  control.setNextHeader({ gasLimit: BigInt(limit) }, true),
)

function refuseMinGasPrice(method: string) {
  return (_context: CallerContext, _gasPrice: bigint): never => {
    throw new RpcRefusedError('invalid-params', `${method} is not supported when EIP-1559 is active`)
  }
}

/** Fields of the next block's header. */
export const ANVIL_HEADER_METHODS = {
  anvil_setNextBlockBaseFeePerGas: defineMethod([wei], answeringNull(setBaseFee)),

  hardhat_setNextBlockBaseFeePerGas: defineMethod([wei], answeringTrue(setBaseFee)),

  /** Sets the fee recipient from now on. */
  anvil_setCoinbase: defineMethod([address], answeringNull(setCoinbase)),
  hardhat_setCoinbase: defineMethod([address], answeringTrue(setCoinbase)),

  /** From the next block on. */
  evm_setBlockGasLimit: defineMethod([gasLimit], setGasLimit),
  anvil_setBlockGasLimit: defineMethod([gasLimit], setGasLimit),

  /** Sets `mixHash` of the next block. */
  anvil_setNextBlockPrevRandao: defineMethod([hash], answeringNull(setMixHash)),
  hardhat_setPrevRandao: defineMethod([hash], answeringTrue(setMixHash)),

  /** Refused. */
  anvil_setMinGasPrice: defineMethod([wei], refuseMinGasPrice('anvil_setMinGasPrice')),

  /** Refused. */
  hardhat_setMinGasPrice: defineMethod([wei], refuseMinGasPrice('hardhat_setMinGasPrice')),
} satisfies Partial<MethodTable>
