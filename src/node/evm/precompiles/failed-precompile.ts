import { EVMError, type ExecResult } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '#primitives/bytes.ts'

/** The result of a precompile that fails: all gas is gone. */
export function failedPrecompile(reason: keyof typeof EVMError.errorMessages, gasLimit: bigint): ExecResult {
  const exceptionError = new EVMError(EVMError.errorMessages[reason])
  return { returnValue: EMPTY_BYTES, executionGasUsed: gasLimit, exceptionError }
}
