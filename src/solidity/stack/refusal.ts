import { type Hex, hexToBytes } from '#primitives/hex.ts'
import type { RpcExecutionFrame } from '#rpc-types/execution-trace.ts'
import { decodeValues } from '#solidity/abi/decode.ts'
import type { AbiEntry } from '#solidity/build/build.ts'
import type { RecognisedCode } from '#solidity/code/code-index.ts'
import { abiSelector, type Failure, failure } from './failure.ts'

/** A failed check that the compiler placed before a contract's own code. */
export interface Refusal {
  readonly failure: Failure
  /** The function that was called; `undefined` if the contract as a whole refused. */
  readonly selector: string | undefined
  readonly entry: 'function' | 'constructor' | 'fallback' | 'receive' | 'contract'
}

/**
 * Finds what a contract refused before its own code ran: value, arguments, or a function that it does not have. Applies to
 * frames that reverted without data, optimised or not.
 */
export function refusalOf(
  frame: RpcExecutionFrame,
  { contract, code }: RecognisedCode,
  isLibrary: boolean,
): Refusal | undefined {
  const { abi } = contract
  const hasValue = frame.value !== null && BigInt(frame.value) > 0n
  if (frame.type.startsWith('CREATE')) return ofConstructor(frame.input, abi, code.bytes.length, hasValue)
  const input = hexToBytes(frame.input)
  const selector = input.length >= 4 ? frame.input.slice(0, 10).toLowerCase() : undefined
  const called =
    selector === undefined
      ? undefined
      : abi.find((entry) => entry.type === 'function' && abiSelector(entry) === selector)
  if (called && selector !== undefined) {
    const named = { entry: 'function' as const, selector: selector.slice(2) }
    if (isLibrary && frame.type !== 'DELEGATECALL' && called.stateMutability === 'nonpayable') {
      const words = `${called.name ?? ''} of a library changes state, and was called directly rather than by delegatecall`
      return { failure: failure('direct-library-call', words), ...named }
    }
    if (hasValue && !isLibrary && called.stateMutability !== 'payable') {
      return { failure: notPayable(`the function ${called.name ?? ''}`), ...named }
    }
    // Libraries also take types that the ABI does not have.
    if (!isLibrary && !decodeValues(called.inputs, input.subarray(4))) {
      return {
        failure: failure('invalid-arguments', `the arguments of ${called.name ?? ''} do not match its types`),
        ...named,
      }
    }
    return undefined
  }
  return withoutFunction(abi, input.length, selector, hasValue)
}

function withoutFunction(
  abi: readonly AbiEntry[],
  size: number,
  selector: string | undefined,
  hasValue: boolean,
): Refusal | undefined {
  const receive = abi.find(({ type }) => type === 'receive')
  if (size === 0 && receive) return undefined
  const fallback = abi.find(({ type }) => type === 'fallback')
  if (fallback) {
    if (!hasValue || fallback.stateMutability === 'payable') return undefined
    return { failure: notPayable('the fallback function'), entry: 'fallback', selector: undefined }
  }
  const words =
    size === 0
      ? 'the contract has neither a receive nor a fallback function'
      : `the contract has no function ${selector ?? 'for so little data'} and no fallback function`
  return {
    failure: failure(size === 0 ? 'no-receive' : 'unknown-function', words),
    entry: 'contract',
    selector: undefined,
  }
}

function ofConstructor(initcode: Hex, abi: readonly AbiEntry[], size: number, hasValue: boolean): Refusal | undefined {
  const constructor = abi.find(({ type }) => type === 'constructor')
  if (hasValue && constructor?.stateMutability !== 'payable') {
    return { failure: notPayable('the constructor'), entry: 'constructor', selector: undefined }
  }
  if (constructor && !decodeValues(constructor.inputs, hexToBytes(initcode).subarray(size))) {
    const words = 'the arguments of the constructor do not match its types'
    return { failure: failure('invalid-arguments', words), entry: 'constructor', selector: undefined }
  }
  return undefined
}

function notPayable(what: string): Failure {
  return failure('not-payable', `${what} is not payable, but value was sent`)
}
