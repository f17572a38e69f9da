import { EVMError, type ExecResult } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '#primitives/bytes.ts'

/** The result of a failed precompile: all gas is used. */
export function failedPrecompile(reason: keyof typeof EVMError.errorMessages, gasLimit: bigint): ExecResult {
  const exceptionError = new EVMError(EVMError.errorMessages[reason])
  return { returnValue: EMPTY_BYTES, executionGasUsed: gasLimit, exceptionError }
}
