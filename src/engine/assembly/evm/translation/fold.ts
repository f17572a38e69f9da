/** Constant folding. */

import { ADD, AND, isOnStack, NOT, OR, SHL, SHR, SUB } from '../code/instruction.ts'
import { takeKeptWord } from '../code/kept.ts'
import { ENVIRONMENT, ENVIRONMENT_BYTES } from '../state/environment.ts'
import { add, sub } from '../words/arithmetic.ts'
import { and, not, or, shl, shr } from '../words/bits.ts'

/** Whether the word is constant; words of the environment are not. */
export function isFixed(operand: i32): bool {
  const address = (operand >> 1) as usize
  return !isOnStack(operand) && (address < ENVIRONMENT || address >= ENVIRONMENT + ENVIRONMENT_BYTES)
}

/**
 * Computes constants that compilers leave in the code, mostly masks.
 *
 * @returns The word; 0 if it is left to the instruction.
 */
export function evaluate(instruction: u32, x: usize, y: usize): usize {
  switch (instruction) {
    case ADD:
    case SUB:
    case AND:
    case OR:
    case NOT:
    case SHL:
    case SHR:
      break
    default:
      return 0
  }
  const to = takeKeptWord()
  if (instruction == ADD) add(to, x, y)
  else if (instruction == SUB) sub(to, x, y)
  else if (instruction == AND) and(to, x, y)
  else if (instruction == OR) or(to, x, y)
  else if (instruction == NOT) not(to, x)
  else if (instruction == SHL) shl(to, x, y)
  else shr(to, x, y)
  return to
}
