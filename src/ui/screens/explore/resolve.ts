import type { Abi } from 'viem'
import { type Address, type Hash, type Hex, toWord } from '#primitives/hex.ts'
import { indexOf } from '#ui/decode/abi-index.ts'
import { KNOWN_SELECTORS } from '#ui/decode/method-name.ts'
import { hashOf, selectorOf } from '#ui/decode/signature.ts'
import { STANDARDS } from '#ui/decode/standards.ts'

/** Accounts and contracts by their names. */
export type Names = readonly (readonly [name: string, address: Address])[]

/** What a text in a filter stands for; `undefined` if the text is empty. */
export type Resolved<Value> = { readonly value: Value } | { readonly problem: string } | undefined

/** The value of a text that stands for something. */
export function valueOf<Value>(resolved: Resolved<Value>): Value | undefined {
  return resolved && 'value' in resolved ? resolved.value : undefined
}

/** Why a text stands for nothing. */
export function problemOf(resolved: Resolved<unknown>): string | undefined {
  return resolved && 'problem' in resolved ? resolved.problem : undefined
}

const isAddress = (text: string): text is Address => /^0x[\da-f]{40}$/i.test(text)
const NAME = /^[A-Za-z_$][\w$]*$/
const SIGNATURE = /^[A-Za-z_$][\w$]*\([\w$,()[\]]*\)$/

/** An account by its address or its name. */
export function resolveAddress(text: string, names: Names): Resolved<Address> {
  const wanted = text.trim()
  if (wanted === '') return undefined
  if (isAddress(wanted)) return { value: wanted.toLowerCase() as Address }
  const named = names.find(([name]) => name.toLowerCase() === wanted.toLowerCase())
  if (named) return { value: named[1] }
  return {
    problem: wanted.startsWith('0x')
      ? 'An address has 40 hexadecimal digits after 0x.'
      : 'Nothing known has this name.',
  }
}

/** What a method is called by: selectors, or the creation of a contract. */
export type MethodChoice = { readonly creates: true } | { readonly selectors: readonly Hex[] }

/** A method by its name, its signature or its selector; `transfer` is also the plain one of ETH. */
export function resolveMethod(text: string, abis: readonly Abi[]): Resolved<MethodChoice> {
  const wanted = text.trim()
  if (wanted === '') return undefined
  const name = wanted.toLowerCase()
  if (name === 'deploy') return { value: { creates: true } }
  if (/^0x[\da-f]{8}$/.test(name)) return { value: { selectors: [name as Hex] } }
  const signature = wanted.replaceAll(/\s/g, '')
  if (SIGNATURE.test(signature)) return { value: { selectors: [selectorOf(signature)] } }
  const selectors = new Set<Hex>(name === 'transfer' ? ['0x'] : [])
  for (const [selector, known] of KNOWN_SELECTORS) if (known.toLowerCase() === name) selectors.add(selector)
  for (const abi of [...abis, ...STANDARDS.map((standard) => standard.abi)]) {
    for (const [selector, { name: own }] of indexOf(abi).functions)
      if (own.toLowerCase() === name) selectors.add(selector)
  }
  if (selectors.size > 0) return { value: { selectors: [...selectors] } }
  return {
    problem: NAME.test(wanted)
      ? 'No known contract has a function of this name. Its signature finds it: transfer(address,uint256).'
      : 'A function’s name, its signature, or a selector: 0x and 8 digits.',
  }
}

/** Topics of an event by its name, its signature or its topic. */
export function resolveEvent(text: string, abis: readonly Abi[]): Resolved<readonly Hash[]> {
  const wanted = text.trim()
  if (wanted === '') return undefined
  if (/^0x[\da-f]{64}$/i.test(wanted)) return { value: [wanted.toLowerCase() as Hash] }
  const signature = wanted.replaceAll(/\s/g, '')
  if (SIGNATURE.test(signature)) return { value: [hashOf(signature)] }
  const topics = new Set<Hash>()
  for (const abi of [...abis, ...STANDARDS.map((standard) => standard.abi)]) {
    for (const [topic, [entry]] of indexOf(abi).events) {
      if (entry?.name.toLowerCase() === wanted.toLowerCase()) topics.add(topic)
    }
  }
  if (topics.size > 0) return { value: [...topics] }
  return {
    problem: NAME.test(wanted)
      ? 'No known contract has an event of this name. Its signature finds it: Transfer(address,address,uint256).'
      : 'An event’s name, its signature, or its topic: 0x and 64 digits.',
  }
}

const MAX_INTEGER = 2n ** 256n

/** An argument as the word that it is in a topic or in data: a number, an address, a name, true or false, or a word. */
export function resolveArgument(text: string, names: Names): Resolved<Hash> {
  const wanted = text.trim()
  if (wanted === '') return undefined
  if (/^0x[\da-f]{64}$/i.test(wanted)) return { value: wanted.toLowerCase() as Hash }
  if (isAddress(wanted)) return { value: toWord(BigInt(wanted)) }
  if (wanted === 'true' || wanted === 'false') return { value: toWord(wanted === 'true' ? 1 : 0) }
  const digits = wanted.replaceAll(/[,_]/g, '')
  if (/^-?\d{1,78}$/.test(digits) || /^0x[\da-f]{1,63}$/i.test(digits)) {
    const integer = BigInt(digits)
    if (integer < MAX_INTEGER && integer >= -MAX_INTEGER / 2n) return { value: toWord(BigInt.asUintN(256, integer)) }
  }
  const named = names.find(([name]) => name.toLowerCase() === wanted.toLowerCase())
  if (named) return { value: toWord(BigInt(named[1])) }
  return { problem: 'A number, an address, a known name, true, false, or 32 bytes in hex.' }
}

/** Blocks from one number to another; either may be missing. */
export interface BlockRange {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** Blocks as in `10–20`, `10-`, `-20` or `10`. */
export function resolveRange(text: string): Resolved<BlockRange> {
  const wanted = text.replaceAll(/[\s,#]/g, '')
  if (wanted === '') return undefined
  const parts = /^(\d{1,13})?([-–])?(\d{1,13})?$/.exec(wanted)
  const [from, to] = [numberIn(parts?.[1]), numberIn(parts?.[3])]
  if (!parts || (from === undefined && to === undefined))
    return { problem: 'A block, or blocks from one to another: 10–20.' }
  if (parts[2] === undefined) return { value: { from, to: from } }
  if (from !== undefined && to !== undefined && from > to) return { problem: 'The first block comes after the last.' }
  return { value: { from, to } }
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
