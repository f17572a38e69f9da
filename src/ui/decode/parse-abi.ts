import type { Abi } from 'viem'
import { isObject, parsedJson } from '#primitives/json-object.ts'

export type AbiResult = { readonly ok: true; readonly abi: Abi } | { readonly ok: false; readonly error: string }

const TYPE =
  /^(address|bool|string|function|tuple|bytes([1-9]|[12]\d|3[0-2])?|u?int(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256)?)(\[\d{0,9}\])*$/
/** Solidity and Vyper allow no other names, so nothing can hide in one. */
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,255}$/
const NAMED = new Set(['function', 'event', 'error'])
const OTHERS = new Set(['constructor', 'fallback', 'receive'])
/** Deepest nesting of tuples; nobody writes more. */
const MAX_DEPTH = 16

/** Parses pasted JSON: an ABI, or a compiler's artifact with an `abi`. */
export function parseAbiJson(text: string): AbiResult {
  const json = parsedJson(text)
  if (json === undefined) {
    return { ok: false, error: 'Not JSON. Paste the ABI from the compiler: [{"type":"function", …}]' }
  }
  const abi = isObject(json) && 'abi' in json ? json['abi'] : json
  if (!Array.isArray(abi)) return { ok: false, error: 'An ABI is a JSON array: [{"type":"function", …}]' }
  const wrong = abi.findIndex((item) => !isItem(item))
  if (wrong >= 0) return { ok: false, error: `Entry ${wrong + 1} of the array is not a function, event or error.` }
  if (abi.length === 0) return { ok: false, error: 'The array is empty.' }
  return { ok: true, abi: completeAbi(abi as Abi) }
}

/** An entry of an ABI as compilers before Solidity 0.4.16 wrote it, or without its empty lists. */
interface OldItem {
  readonly type: string
  readonly stateMutability?: string
  readonly constant?: unknown
  readonly payable?: unknown
  readonly inputs?: readonly unknown[]
  readonly outputs?: readonly unknown[]
}

/**
 * An ABI whose functions all say whether they only read and whether they take ETH, as compilers since Solidity 0.4.16 write
 * it: others would be taken for functions that are sent, without an amount. The same object if nothing is missing.
 */
export function completeAbi(abi: Abi): Abi {
  const items = abi.map((item) => completeItem(item as OldItem))
  return items.some((item, i) => item !== abi[i]) ? (items as unknown as Abi) : abi
}

function completeItem(item: OldItem): OldItem {
  const isCalled = item.type === 'function' || OTHERS.has(item.type)
  const hasInputs = item.type !== 'fallback' && item.type !== 'receive'
  const missing = {
    ...(hasInputs && !item.inputs && { inputs: [] }),
    ...(item.type === 'function' && !item.outputs && { outputs: [] }),
    ...(isCalled && !item.stateMutability && { stateMutability: mutabilityOf(item) }),
  }
  return Object.keys(missing).length === 0 ? item : { ...item, ...missing }
}

function mutabilityOf({ type, constant, payable }: OldItem): string {
  if (type === 'receive') return 'payable'
  if (constant === true) return 'view'
  // Before Solidity 0.4.0 there was no such flag, and every function took ETH.
  return payable === true || (payable === undefined && constant === false) ? 'payable' : 'nonpayable'
}

/** Whether a stored or pasted value is a usable ABI. */
export function isAbi(value: unknown): value is Abi {
  return Array.isArray(value) && value.every(isItem)
}

function isItem(item: unknown): boolean {
  if (!isObject(item)) return false
  const { type, name, inputs = [], outputs = [] } = item
  if (typeof type !== 'string') return false
  if (!OTHERS.has(type) && !(NAMED.has(type) && typeof name === 'string' && IDENTIFIER.test(name))) return false
  return isParameters(inputs, MAX_DEPTH) && isParameters(outputs, MAX_DEPTH)
}

function isParameters(value: unknown, depth: number): boolean {
  if (!Array.isArray(value) || depth === 0) return false
  return value.every((parameter) => {
    if (!isObject(parameter)) return false
    const { type, name, components, enumNames = [] } = parameter
    if (typeof type !== 'string' || !TYPE.test(type) || !isParameterName(name) || !areNames(enumNames)) return false
    return !type.startsWith('tuple') || isParameters(components, depth - 1)
  })
}

function isParameterName(name: unknown): boolean {
  return name === undefined || name === '' || (typeof name === 'string' && IDENTIFIER.test(name))
}

/** The names of an enum's values, as the page adds them to what it compiles. */
function areNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && IDENTIFIER.test(name))
}
