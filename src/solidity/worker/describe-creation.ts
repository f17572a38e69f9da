import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import type { AbiParameter } from '#solidity/build/build.ts'
import type { CodeIndex } from '#solidity/code/code-index.ts'

/** The contract that some initcode creates, and the arguments of its constructor. */
export interface DescribedCreation {
  readonly contract: string
  /** Path of its source. */
  readonly path: string
  readonly parameters: readonly AbiParameter[]
  /** What follows the compiled code: the encoded arguments, if whoever sent it encoded them. */
  readonly encoded: Hex
}

/** `undefined` if the initcode is of no contract in the index. */
export function describeCreation(index: CodeIndex, initcode: Hex): DescribedCreation | undefined {
  const bytes = hexToBytes(initcode)
  const found = index.creation(bytes)
  if (!found) return undefined
  const { contract, code } = found
  return {
    contract: contract.name,
    path: contract.path,
    parameters: contract.abi.find(({ type }) => type === 'constructor')?.inputs ?? [],
    encoded: bytesToHex(bytes.subarray(code.bytes.length)),
  }
}
