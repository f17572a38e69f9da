import { type EngineExports, HALT, OUTCOME } from '#engine/engine-exports.ts'
import { invariant } from '#primitives/invariant.ts'
import type { MessageFailure } from '../../message.ts'
import { invalidOpcode, STACK_LIMIT, stackInputs } from '../../opcodes.ts'

const WORDS: Readonly<Record<number, string>> = {
  [HALT.outOfGas]: 'out of gas',
  [HALT.invalidJump]: 'invalid jump destination',
  [HALT.writeProtection]: 'write protection',
  [HALT.returnDataOutOfBounds]: 'return data out of bounds',
  [HALT.initcodeTooLong]: 'max initcode size exceeded',
  [HALT.codeTooLong]: 'max code size exceeded',
  [HALT.codeBeginsWithEf]: 'invalid code: must not begin with 0xef',
  [HALT.codeDepositOutOfGas]: 'contract creation code storage out of gas',
  [HALT.addressTaken]: 'contract address collision',
  [HALT.insufficientBalance]: 'insufficient balance for transfer',
  [HALT.tooDeep]: 'max call depth exceeded',
  [HALT.reentrancySentry]: 'out of gas: not enough gas for reentrancy sentry',
  [HALT.stackOverflow]: `stack limit reached ${STACK_LIMIT} (${STACK_LIMIT - 1})`,
}

/**
 * Why the message or one of its frames has just failed, in geth's wording; `undefined` if it did not.
 *
 * @param outcome - A value of {@link OUTCOME}.
 * @param reason - A value of {@link HALT}; 0 for a REVERT.
 * @param precompileFailure - Why a precompile failed; empty if it ran out of gas.
 */
export function failureOf(
  outcome: number,
  reason: number,
  exports: EngineExports,
  precompileFailure: string,
): MessageFailure | undefined {
  if (outcome === OUTCOME.succeeded) return undefined
  if (reason === 0) return { kind: 'reverted', message: 'execution reverted' }
  if (reason === HALT.precompileFailed) return { kind: 'halted', message: precompileFailure || 'out of gas' }
  return { kind: 'halted', message: wordsOf(reason, exports) }
}

function wordsOf(reason: number, exports: EngineExports): string {
  const opcode = exports.failedOpcode()
  if (reason === HALT.invalidOpcode) return invalidOpcode(opcode)
  if (reason === HALT.stackUnderflow) return `stack underflow (${exports.failedHeight()} <=> ${stackInputs(opcode)})`
  const words = WORDS[reason]
  invariant(words, `no words for halt ${reason}`)
  return words
}
