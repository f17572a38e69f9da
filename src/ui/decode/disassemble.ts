import { type Address, bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { opcodeName, pushSize } from './opcodes.ts'

/** An instruction of code, in its place. */
export interface Instruction {
  /** Position of its first byte. */
  readonly at: number
  /** `PUSH2`; `undefined` for a byte that is no instruction. */
  readonly name: string | undefined
  readonly code: number
  /** What a PUSH carries; shorter than it should be at the end of the code, where the rest counts as zeros. */
  readonly pushed: Hex | undefined
}

/** Reads code from its beginning to its end; what is data in it is read as if it were instructions. */
export function disassemble(code: Hex): readonly Instruction[] {
  const bytes = hexToBytes(code)
  const instructions: Instruction[] = []
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number
    const size = pushSize(byte)
    const pushed = size > 0 ? bytesToHex(bytes.subarray(at + 1, at + 1 + size)) : undefined
    instructions.push({ at, name: opcodeName(byte), code: byte, pushed })
    at += 1 + size
  }
  return instructions
}

/** EIP-7702: `0xef0100` and an address, whose code runs in the place of the account's. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/

/** The account whose code an account has borrowed; `undefined` if it has none or its own. */
export function delegationOf(code: Hex): Address | undefined {
  const digits = DELEGATION.exec(code.toLowerCase())?.[1]
  return digits === undefined ? undefined : `0x${digits}`
}
