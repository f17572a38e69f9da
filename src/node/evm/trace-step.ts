import { type Address, hexToBytes, toWord } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { StateReader } from '../state/state-reader.ts'
import { create2Address, createdAddress } from './contract-address.ts'
import { OP } from './opcodes.ts'
import type { TraceStep } from './tracer.ts'

/** Word `index` of a step's stack, 0 for the uppermost. */
export function stackWord({ stack }: Pick<TraceStep, 'stack'>, index: number): bigint {
  const word = stack[stack.length - 1 - index]
  invariant(word !== undefined, 'a step that can be executed finds its words on the stack')
  return word
}

/** The address in word `index` of a step's stack, 0 for the uppermost. */
export function stackAddress(step: Pick<TraceStep, 'stack'>, index: number): Address {
  return `0x${toWord(stackWord(step, index)).slice(-40)}`
}

/** Bytes of memory that words `offset` and `offset + 1` of the stack select, with zeros for what the step is yet to add. */
export function stackMemory(step: Pick<TraceStep, 'stack' | 'memory'>, offset: number): Uint8Array {
  // The step is paid for, so both are small; where nothing is selected, any offset is.
  const length = Number(stackWord(step, offset + 1))
  const bytes = new Uint8Array(length)
  if (length === 0) return bytes
  const start = Number(stackWord(step, offset))
  bytes.set(step.memory.subarray(start, start + length))
  return bytes
}

/** Address of what a CREATE or CREATE2 is about to make. */
export function addressToCreate(step: TraceStep, state: StateReader): Address {
  if (step.opcode === OP.CREATE) return createdAddress(step.address, state.account(step.address)?.nonce ?? 0n)
  return create2Address(step.address, hexToBytes(toWord(stackWord(step, 3))), stackMemory(step, 1))
}
