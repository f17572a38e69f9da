import type { Address } from '#primitives/hex.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { type CallerContext, defineMethod } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { address, hash } from '../../params/hex-params.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { wei } from './dev-params.ts'

const gasLimit = integerWithin(OPTION_RANGES.gasLimit.min, OPTION_RANGES.gasLimit.max)

const setBaseFee = ({ control }: CallerContext, baseFeePerGas: bigint) =>
  control.setNextHeader({ baseFeePerGas }, false)

const setCoinbase = ({ control }: CallerContext, coinbase: Address) => control.setNextHeader({ coinbase }, true)

const setGasLimit = answeringTrue(({ control }, limit: number) =>
  control.setNextHeader({ gasLimit: BigInt(limit) }, true),
)

function refuseMinGasPrice(method: string) {
  return (_context: CallerContext, _gasPrice: bigint): never => {
    throw new RpcRefusedError('invalid-params', `${method} is not supported when EIP-1559 is active`)
  }
}

/** `anvil_setNextBlockBaseFeePerGas`. */
export const anvilSetNextBlockBaseFeePerGas = defineMethod(
  'anvil_setNextBlockBaseFeePerGas',
  [wei],
  answeringNull(setBaseFee),
)
/** `hardhat_setNextBlockBaseFeePerGas`. */
export const hardhatSetNextBlockBaseFeePerGas = defineMethod(
  'hardhat_setNextBlockBaseFeePerGas',
  [wei],
  answeringTrue(setBaseFee),
)

/** `anvil_setCoinbase`: who gets the tips from now on. */
export const anvilSetCoinbase = defineMethod('anvil_setCoinbase', [address], answeringNull(setCoinbase))
/** `hardhat_setCoinbase`: the same. */
export const hardhatSetCoinbase = defineMethod('hardhat_setCoinbase', [address], answeringTrue(setCoinbase))

/** `evm_setBlockGasLimit`: from the next block on. */
export const evmSetBlockGasLimit = defineMethod('evm_setBlockGasLimit', [gasLimit], setGasLimit)
/** `anvil_setBlockGasLimit`: the same. */
export const anvilSetBlockGasLimit = defineMethod('anvil_setBlockGasLimit', [gasLimit], setGasLimit)

/** `hardhat_setPrevRandao`: of the next block. */
export const hardhatSetPrevRandao = defineMethod(
  'hardhat_setPrevRandao',
  [hash],
  answeringTrue(({ control }, mixHash: Address) => control.setNextHeader({ mixHash }, false)),
)

/** `anvil_setMinGasPrice`: refused. */
export const anvilSetMinGasPrice = defineMethod(
  'anvil_setMinGasPrice',
  [wei],
  refuseMinGasPrice('anvil_setMinGasPrice'),
)
/** `hardhat_setMinGasPrice`: refused. */
export const hardhatSetMinGasPrice = defineMethod(
  'hardhat_setMinGasPrice',
  [wei],
  refuseMinGasPrice('hardhat_setMinGasPrice'),
)
