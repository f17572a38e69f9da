import type { AbiParameter } from 'viem'
import { parsedJson } from '#primitives/json-object.ts'
import { enumNamesOf, typeNameOf } from '#ui/decode/signature.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { parseRecipient } from '#ui/own/transfer-form.ts'

export type ArgumentResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string }

/** More than anybody types; a longer list is refused by its length. */
const MAX_BLANK_ITEMS = 1_000
const INTEGER = /^-?(\d+|0x[0-9a-fA-F]+)$/

/**
 * Parses the text of one argument by its ABI type. Arrays and tuples are JSON; a tuple's members are given by name or
 * position, and end up in a list. A member may also be the text of its own field. A value of an enum is its name or its
 * number.
 */
export function parseArgument(parameter: AbiParameter, text: string): ArgumentResult {
  const { type } = parameter
  if (type === 'string') return { ok: true, value: text }
  const trimmed = text.trim()
  if (type === 'tuple' && trimmed === '')
    return fromJson(
      parameter,
      membersOf(parameter).map(() => ''),
    )
  if (trimmed === '' && type.endsWith(']')) return fromJson(parameter, blankList(type))
  if (isCompound(type)) return parseCompound(parameter, trimmed)
  const names = enumNamesOf(parameter)
  if (names.length > 0) return parseEnum(parameter, names, trimmed)
  if (trimmed === '') return { ok: false, error: `Enter ${nounOf(type)}.` }
  if (type === 'address') return parseAddress(trimmed)
  if (type === 'bool') {
    if (trimmed === 'true' || trimmed === 'false') return { ok: true, value: trimmed === 'true' }
    return { ok: false, error: 'Enter true or false.' }
  }
  if (/^u?int/.test(type)) return parseInteger(type, trimmed)
  return type === 'function' ? parseFunction(trimmed) : parseBytes(type, trimmed)
}

/** How many names of values an error tells. */
const TOLD_NAMES = 12

function parseEnum(parameter: AbiParameter, names: readonly string[], text: string): ArgumentResult {
  const named = names.indexOf(text)
  if (named >= 0) return { ok: true, value: BigInt(named) }
  const value = INTEGER.test(text) && !text.startsWith('-') ? BigInt(text) : undefined
  if (value !== undefined && value < BigInt(names.length)) return { ok: true, value }
  const more = names.length - TOLD_NAMES
  const told = `${names.slice(0, TOLD_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return {
    ok: false,
    error: `${text === '' ? 'Choose one of the' : 'Not one of the'} values of ${typeNameOf(parameter)}: ${told}.`,
  }
}

/** An address, then a selector, in one or with a point between them. */
function parseFunction(text: string): ArgumentResult {
  const [, address, selector] = /^0x([\da-f]{40})(?:\s*[.:]\s*0x)?([\da-f]{8})$/i.exec(text) ?? []
  if (address !== undefined && selector !== undefined) {
    return { ok: true, value: `0x${address}${selector}`.toLowerCase() }
  }
  return {
    ok: false,
    error: 'Not a function. Enter 0x, the 40 digits of its contract’s address, and the 8 of its selector.',
  }
}

/** A list of which nothing was typed: without items, or with as many as it must have. */
function blankList(type: string): readonly string[] {
  const size = Number(/\[(\d*)\]$/.exec(type)?.[1])
  return Array.from({ length: Math.min(size, MAX_BLANK_ITEMS) }, () => '')
}

function nounOf(type: string): string {
  if (type === 'address') return 'an address: 0x and 40 hexadecimal digits'
  if (type === 'bool') return 'true or false'
  if (/^u?int/.test(type)) return 'a whole number'
  if (type === 'function') return 'a function: 0x, the 40 digits of an address, and the 8 of a selector'
  return 'bytes: 0x and two hexadecimal digits for each'
}

function parseAddress(text: string): ArgumentResult {
  const parsed = parseRecipient(text)
  return parsed.ok ? { ok: true, value: parsed.address } : { ok: false, error: parsed.error }
}

function parseInteger(type: string, text: string): ArgumentResult {
  if (!INTEGER.test(text)) return { ok: false, error: 'Not a whole number. Use digits, or 0x and hexadecimal digits.' }
  const negative = text.startsWith('-')
  const magnitude = BigInt(negative ? text.slice(1) : text)
  const value = negative ? -magnitude : magnitude
  const bits = BigInt(type.replace(/\D/g, '') || 256)
  const signed = type.startsWith('int')
  const lowest = signed ? -(2n ** (bits - 1n)) : 0n
  const highest = 2n ** (signed ? bits - 1n : bits) - 1n
  if (value >= lowest && value <= highest) return { ok: true, value }
  return {
    ok: false,
    error: `${type} goes from ${signed ? `−2^${bits - 1n}` : '0'} to 2^${signed ? bits - 1n : bits} − 1.`,
  }
}

function parseBytes(type: string, text: string): ArgumentResult {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(text)) {
    return { ok: false, error: 'Not bytes. Enter 0x and two hexadecimal digits for each byte.' }
  }
  const size = Number(type.slice('bytes'.length))
  const length = text.length / 2 - 1
  if (size === 0 || length === size) return { ok: true, value: text.toLowerCase() }
  return { ok: false, error: `${type} has ${size} bytes, these are ${length}.` }
}

function isCompound(type: string): boolean {
  return type.endsWith(']') || type.startsWith('tuple')
}

/** The members of a tuple, or of the tuples in an array. */
export function membersOf(parameter: AbiParameter): readonly AbiParameter[] {
  return 'components' in parameter ? parameter.components : []
}

/** An example value of the type, such as `[{"to": "0x…", "value": "0"}]`. */
export function exampleOf(parameter: AbiParameter): string {
  const { type } = parameter
  if (type.endsWith(']')) {
    const item = exampleOf({ ...parameter, type: type.replace(/\[\d*\]$/, '') })
    return `[${/^[[{]/.test(item) ? item : `"${item}"`}]`
  }
  if (type === 'tuple') {
    const members = membersOf(parameter).map((member, i) => {
      const value = exampleOf(member)
      return `"${member.name || i}": ${/^[[{]/.test(value) ? value : `"${value}"`}`
    })
    return `{${members.join(', ')}}`
  }
  const [first] = enumNamesOf(parameter)
  if (first !== undefined) return first
  if (type === 'address') return '0x…'
  if (type === 'bool') return 'true or false'
  if (type === 'string') return ''
  return /^u?int/.test(type) ? '0' : '0x'
}

function parseCompound(parameter: AbiParameter, text: string): ArgumentResult {
  const json = parsedJson(text)
  if (json === undefined) {
    return { ok: false, error: `Not JSON. Enter the value in this form: ${exampleOf(parameter)}` }
  }
  return fromJson(parameter, json)
}

function fromJson(parameter: AbiParameter, json: unknown): ArgumentResult {
  if (typeof json === 'string' && isCompound(parameter.type)) return parseArgument(parameter, json)
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (array) {
    if (!Array.isArray(json)) return { ok: false, error: `This needs a list in brackets: ${exampleOf(parameter)}` }
    if (array[2] && json.length !== Number(array[2])) {
      return { ok: false, error: `${parameter.type} has ${array[2]} items, these are ${json.length}.` }
    }
    return collect(json.map((item: unknown) => fromJson({ ...parameter, type: array[1] ?? '' }, item)))
  }
  if (parameter.type === 'tuple') {
    const members = membersOf(parameter)
    if (typeof json !== 'object' || json === null)
      return { ok: false, error: `This needs its members in braces: ${exampleOf(parameter)}` }
    const surplus = surplusIn(parameter, json)
    if (surplus !== undefined) return { ok: false, error: `${typeNameOf(parameter)} has no ${surplus}.` }
    const items = members.map((member, i): ArgumentResult => {
      const item = memberIn(json, member, i)
      if (item !== undefined && item !== null) return fromJson(member, item)
      return { ok: false, error: `The member ${member.name || i}, ${typeNameOf(member)}, is missing.` }
    })
    return collect(items)
  }
  if (typeof json === 'string' || typeof json === 'boolean') return parseArgument(parameter, String(json))
  // Beyond that, JSON has already lost digits.
  if (typeof json === 'number' && Number.isSafeInteger(json)) return parseArgument(parameter, String(json))
  if (typeof json === 'number') return { ok: false, error: 'Write numbers as large as this in quotes.' }
  return { ok: false, error: `A ${typeNameOf(parameter)} is missing.` }
}

/** A member of a tuple that is written as a list or as an object. */
export function memberIn(json: object, { name }: AbiParameter, position: number): unknown {
  if (Array.isArray(json)) return json[position] as unknown
  // A member without a name is found by its position, and none in what all objects have.
  const key = name || String(position)
  return Object.hasOwn(json, key) ? (json as Readonly<Record<string, unknown>>)[key] : undefined
}

/** What a tuple, written as a list or as an object, has too much: the first such member in words. */
export function surplusIn(parameter: AbiParameter, json: object): string | undefined {
  const members = membersOf(parameter)
  if (Array.isArray(json)) {
    return json.length > members.length ? `more than ${members.length} members; these are ${json.length}` : undefined
  }
  const names = new Set(members.map(({ name }, i) => name || String(i)))
  const surplus = Object.keys(json).find((key) => !names.has(key))
  return surplus === undefined ? undefined : `member ${othersText(surplus, LONGEST_NAME)}`
}

function collect(results: readonly ArgumentResult[]): ArgumentResult {
  const failed = results.find((result) => !result.ok)
  return failed ?? { ok: true, value: results.map((result) => result.ok && result.value) }
}
