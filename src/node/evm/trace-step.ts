import { type Address, hexToBytes, toWord } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { StateReader } from '../state/state-reader.ts'
import { create2Address, createdAddress } from './contract-address.ts'
import { OP } from './opcodes.ts'
import type { TraceStep } from './tracer.ts'

/** Word `index` of a step's stack, 0 for the top. */
export function stackWord({ stack }: Pick<TraceStep, 'stack'>, index: number): bigint {
  const word = stack[stack.length - 1 - index]
  invariant(word !== undefined, 'a step that can be executed finds its words on the stack')
  return word
}

/** The address in word `index` of a step's stack, 0 for the top. */
export function stackAddress(step: Pick<TraceStep, 'stack'>, index: number): Address {
  return `0x${toWord(stackWord(step, index)).slice(-40)}`
}

/**
 * Memory selected by words `offset` and `offset + 1` of the stack, with zeros for bytes that the step is about to add.
 */
export function stackMemory(step: Pick<TraceStep, 'stack' | 'memory'>, offset: number): Uint8Array {
  // The step was paid for, so both are small; with a length of zero, any offset is possible.
  const length = Number(stackWord(step, offset + 1))
  const bytes = new Uint8Array(length)
  if (length === 0) return bytes
  const start = Number(stackWord(step, offset))
  bytes.set(step.memory.subarray(start, start + length))
  return bytes
}

/** Address of the contract that a CREATE or CREATE2 is about to create. */
export function addressToCreate(step: TraceStep, state: StateReader): Address {
  if (step.opcode === OP.CREATE) return createdAddress(step.address, state.account(step.address)?.nonce ?? 0n)
  return create2Address(step.address, hexToBytes(toWord(stackWord(step, 3))), stackMemory(step, 1))
}
