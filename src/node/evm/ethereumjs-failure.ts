import { EVMError, type ExecResult } from '@ethereumjs/evm'
import type { MessageFailure } from './message.ts'
import { invalidOpcode, OP, STACK_LIMIT, stackInputs } from './opcodes.ts'

const { errorMessages } = EVMError

const GETH_WORDS: Partial<Record<string, string>> = {
  [errorMessages.CODESTORE_OUT_OF_GAS]: 'contract creation code storage out of gas',
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  [errorMessages.STATIC_STATE_CHANGE]: 'write protection',
  [errorMessages.CREATE_COLLISION]: 'contract address collision',
  [errorMessages.INSUFFICIENT_BALANCE]: 'insufficient balance for transfer',
  [errorMessages.INITCODE_SIZE_VIOLATION]: 'max initcode size exceeded',
  [errorMessages.REVERT]: 'invalid input of a precompile',
  [errorMessages.INVALID_BYTECODE_RESULT]: 'invalid code: must not begin with 0xef',
}

/** Gas that must be left for SSTORE (EIP-2200). */
const SSTORE_SENTRY_GAS = 2_300n

/** Why a frame failed, in geth's wording; `undefined` if it did not. */
export function failureOf({ exceptionError, runState }: ExecResult): MessageFailure | undefined {
  if (!exceptionError) return undefined
  const { error } = exceptionError
  // A precompile reports this for input it does not accept; it has no run state.
  if (error === errorMessages.REVERT && runState) return { kind: 'reverted', message: 'execution reverted' }
  // The position follows the message.
  if (error.startsWith(errorMessages.INVALID_JUMP)) return { kind: 'halted', message: 'invalid jump destination' }
  return { kind: 'halted', message: (runState && wordsOfStep(error, runState)) ?? wordsOfError(error) }
}

/** Geth's message for an error of the EVM, or the EVM's own. */
export function wordsOfError(error: string): string {
  return GETH_WORDS[error] ?? error
}

/** Geth's message for the step that could not be executed. */
function wordsOfStep(error: string, runState: NonNullable<ExecResult['runState']>): string | undefined {
  const { programCounter, code, opCode, stack, gasLeft } = runState
  switch (error) {
    case errorMessages.INVALID_OPCODE:
      return invalidOpcode(code[programCounter] ?? OP.INVALID)
    case errorMessages.STACK_UNDERFLOW:
      return `stack underflow (${stack.length + takenByLog(runState)} <=> ${stackInputs(opCode)})`
    case errorMessages.STACK_OVERFLOW:
      return `stack limit reached ${STACK_LIMIT} (${STACK_LIMIT - 1})`
    case errorMessages.OUT_OF_GAS:
      // RETURN was executed, so the deposit for the code could not be paid. If RETURN itself could not be paid, no gas
      // is left.
      if (opCode === OP.RETURN && (code[programCounter] !== OP.RETURN || gasLeft > 0n)) {
        return GETH_WORDS[errorMessages.CODESTORE_OUT_OF_GAS]
      }
      if (opCode !== OP.SSTORE || gasLeft === 0n || gasLeft > SSTORE_SENTRY_GAS) return undefined
      return 'out of gas: not enough gas for reentrancy sentry'
    default:
      return undefined
  }
}

/**
 * How many words a LOG has taken from the stack before it lacks its topics; every other opcode takes all or nothing.
 */
function takenByLog({ opCode, code, programCounter }: NonNullable<ExecResult['runState']>): number {
  const isExecuted = code[programCounter] !== opCode
  return isExecuted && opCode > OP.LOG0 && opCode <= OP.LOG4 ? 2 : 0
}
