/** Writes instructions, one after the other. */
import { Code } from '../code/code.ts'
import { constantAt, INSTRUCTION_BYTES } from '../code/instruction.ts'
import { takeKeptWord } from '../code/kept.ts'
import { isLiteral, offsetOfLiteral } from '../code/symbols.ts'
import { PUSH0 } from '../rules/opcodes.ts'
import { SMALL_WORDS } from './shapes.ts'
import { pushBytes } from './steps.ts'

/** Address of the next instruction. */
export let end: usize = 0

/** Sets the address where writing continues: the beginning, or an earlier instruction whose successors are discarded. */
export function emitAt(address: usize): void {
  end = address
}

/** @param place - Of the result, or by how many bytes the stack's top has moved. @returns The address of the instruction. */
export function emit(instruction: u32, place: i32, size: usize = INSTRUCTION_BYTES): usize {
  const at = end
  store<u16>(at, instruction as u16)
  store<i16>(at, place as i16, 2)
  end += size
  return at
}

/** A symbol as an operand: a number in the code becomes a word. */
export function operandOf(symbol: i32, code: Code): i32 {
  if (!isLiteral(symbol)) return symbol
  const push = code.start + (offsetOfLiteral(symbol) as usize)
  const size = (load<u8>(push) - (PUSH0 as u8)) as usize
  if (size == 1) return constantAt(SMALL_WORDS + ((load<u8>(push, 1) as usize) << 5))
  const word = takeKeptWord()
  pushBytes(word, push + 1, size)
  return constantAt(word)
}
