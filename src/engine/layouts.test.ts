import { expect, test } from 'vitest'
import { wasm as instructions } from './assembly/evm/code/instruction.ts?wasm'
import { wasm as layouts } from './assembly/evm/layouts.ts?wasm'
import { wasm as opcodes } from './assembly/evm/rules/opcodes.ts?wasm'
import { BIAS, FIELD } from './compiler/function.ts'
import { CODESIZE, GAS, PC } from './compiler/steps.ts'
import { BRANCH_BYTES, CODE, ENVIRONMENT_BYTES, INSTRUCTION_BYTES, KIND } from './compiler/translated.ts'
import { compileWasmNow, instantiateWasm } from './web-assembly.ts'

/** The numbers that a file of the engine exports. */
function numbersOf(wasm: Uint8Array<ArrayBuffer>): Readonly<Record<string, number>> {
  const exports = instantiateWasm(compileWasmNow(wasm), {}) as Readonly<Record<string, { readonly value: number }>>
  return Object.fromEntries(Object.entries(exports).map(([name, { value }]) => [name, value]))
}

/** `jumpIfNonzero` as JUMP_IF_NONZERO. */
const inCapitals = (numbers: Readonly<Record<string, number>>, prefix = '') =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [
      prefix + name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
      value,
    ]),
  )

test('the compiler knows the instructions as the engine has them', () => {
  expect(numbersOf(instructions)).toMatchObject({ ...inCapitals(KIND), INSTRUCTION_BYTES, BRANCH_BYTES })
})

test('the compiler finds frames, codes and the environment where the engine has them', () => {
  expect(numbersOf(layouts)).toMatchObject({
    ...inCapitals(FIELD, 'FRAME_'),
    ...inCapitals(CODE, 'CODE_'),
    ENVIRONMENT_BYTES,
    STACK_BYTES: BIAS,
  })
})

test('the compiler and the engine have the same opcodes', () => {
  expect(numbersOf(opcodes)).toMatchObject({ GAS, PC, CODESIZE })
})
