import { type AbiFunction, type AbiParameter, parseAbiItem } from 'viem'
import type { Hex } from '#primitives/hex.ts'
import { encodeCallOf } from '#ui/decode/encode-values.ts'
import { typeNameOf } from '#ui/decode/signature.ts'
import { parseArgument } from './abi-argument.ts'

export type SignatureResult =
  | { readonly ok: true; readonly abi: AbiFunction }
  | { readonly ok: false; readonly error: string }

/** Parses `transfer(address,uint256)`, optionally with the word `function`, parameter names and return types. */
export function parseSignature(text: string): SignatureResult {
  const trimmed = text.trim().replace(/^function\s+/, '')
  if (trimmed === '') return { ok: false, error: 'Enter a function, such as transfer(address,uint256).' }
  if (!/^[A-Za-z_$][\w$]*\s*\(.*\)/.test(trimmed)) {
    return {
      ok: false,
      error: 'Not a function. Enter its name and the types in parentheses: transfer(address,uint256).',
    }
  }
  try {
    const item = parseAbiItem(`function ${trimmed}`) as AbiFunction
    return { ok: true, abi: item }
  } catch (error) {
    // The parser's own message says which part it could not read.
    const { shortMessage } = error as Error & { shortMessage?: string }
    if (shortMessage === undefined) throw error
    return { ok: false, error: `${shortMessage} Check the types in the parentheses.` }
  }
}

export type CallDataResult =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly argumentErrors: readonly (string | undefined)[] }

export type ArgumentsResult =
  | { readonly ok: true; readonly values: readonly unknown[] }
  | { readonly ok: false; readonly argumentErrors: readonly (string | undefined)[] }

/** Parses arguments, one text per parameter. */
export function parseArguments(parameters: readonly AbiParameter[], texts: readonly string[]): ArgumentsResult {
  const results = parameters.map((parameter, i) => parseArgument(parameter, texts[i] ?? ''))
  if (results.some((result) => !result.ok)) {
    return { ok: false, argumentErrors: results.map((result) => (result.ok ? undefined : result.error)) }
  }
  return { ok: true, values: results.map((result) => result.ok && result.value) }
}

/** Encodes a call: the selector and its arguments, one text per parameter. */
export function encodeCall(abi: AbiFunction, texts: readonly string[]): CallDataResult {
  const args = parseArguments(abi.inputs, texts)
  if (!args.ok) return args
  return { ok: true, data: encodeCallOf(abi, args.values) }
}

/** A parameter's label: `to, address`, or `1, address` for one without a name. */
export function parameterLabel(parameter: AbiParameter, position: number): string {
  return `Argument ${position + 1}: ${parameter.name ? `${parameter.name}, ` : ''}${typeNameOf(parameter)}`
}

/** The label of a struct's member: `to, address`. */
export function memberLabel(member: AbiParameter, position: number): string {
  return `${member.name || position + 1}, ${typeNameOf(member)}`
}
