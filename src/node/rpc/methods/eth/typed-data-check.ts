import { isObject } from '#primitives/json-object.ts'
import type { RpcTypedData } from '#rpc-types/methods/eth.ts'
import { quote } from '../../../spec/parse-option.ts'

type Typed = Required<RpcTypedData>
type Members = Typed['types'][string]

/** Typed data whose values do not match their types, or whose types are none. The message says where. */
export class TypedDataError extends Error {
  override readonly name = 'TypedDataError'
}

const DOMAIN = 'EIP712Domain'
/** The members of a domain, in the order of EIP-712. */
const DOMAIN_MEMBERS: Members = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/** Most characters of a value's place in an error. */
const MAX_PLACE = 100

/**
 * Checks typed data as geth does, and ethers and alloy where they are stricter: what a wallet refuses, or a contract could
 * not verify, is not signed. Members that no type names are ignored, as wallets do.
 *
 * @returns The same, with the type of its domain.
 * @throws {TypedDataError}
 */
export function checkTypedData({ types, primaryType, domain, message }: Typed): Typed {
  const all = { ...types, [DOMAIN]: types[DOMAIN] ?? membersOf(domain) }
  for (const [name, members] of Object.entries(all)) {
    if (isPrimitive(name)) throw new TypedDataError(`a struct may not be called ${quote(name)}`)
    for (const { name: member, type } of members) {
      if (isPrimitive(elementOf(type)) || Object.hasOwn(all, elementOf(type))) continue
      throw new TypedDataError(`there is no type ${quote(type)}, of ${quote(member)} of ${quote(name)}`)
    }
  }
  checkStruct(all, DOMAIN, domain, 'domain')
  // Hashing says that a primary type is missing.
  if (Object.hasOwn(all, primaryType)) checkStruct(all, primaryType, message, 'message')
  return { types: all, primaryType, domain, message }
}

/** The type of a domain whose type is not given: of the members that are there. */
function membersOf(domain: Typed['domain']): Members {
  return DOMAIN_MEMBERS.filter(({ name }) => domain[name] !== undefined && domain[name] !== null && domain[name] !== '')
}

/** The type without its last dimensions. */
function elementOf(type: string): string {
  return type.replace(/(?:\[\d*\])+$/, '')
}

/** Whether the type is one of Solidity's that EIP-712 knows. */
function isPrimitive(type: string): boolean {
  if (type === 'string' || type === 'bool' || type === 'address' || type === 'bytes') return true
  const [, kind, digits = ''] = /^(bytes|u?int)([1-9]\d{0,2})$/.exec(type) ?? []
  const size = Number(digits)
  if (kind === 'bytes') return size <= 32
  return kind !== undefined && size % 8 === 0 && size <= 256
}

function checkStruct(types: Typed['types'], type: string, value: unknown, place: string): void {
  if (!isObject(value)) throw mismatch(place, `no ${quote(type)}`, value)
  for (const { name, type: member } of types[type] ?? []) {
    checkValue(types, member, value[name], `${place}.${name}`)
  }
}

function checkValue(types: Typed['types'], type: string, value: unknown, place: string): void {
  const [, element, length] = /^(.*)\[(\d*)\]$/s.exec(type) ?? []
  if (element !== undefined) return checkArray(types, element, length ?? '', value, place)
  if (Object.hasOwn(types, type)) return checkStruct(types, type, value, place)
  if (!isOf(type, value)) throw mismatch(place, `no ${type}`, value)
}

function checkArray(types: Typed['types'], element: string, length: string, value: unknown, place: string): void {
  if (!Array.isArray(value)) throw mismatch(place, 'no array', value)
  if (length !== '' && value.length !== Number(length)) {
    throw new TypedDataError(`${shortened(place)} has ${value.length} items, its type wants ${length.slice(0, 20)}`)
  }
  value.forEach((item: unknown, i) => checkValue(types, element, item, `${place}[${i}]`))
}

/** Whether a value is one of a primitive type. Whether an address has the right checksum shows when it is hashed. */
function isOf(type: string, value: unknown): boolean {
  if (type === 'bool') return typeof value === 'boolean'
  if (type.includes('int')) return isInteger(type, value)
  if (typeof value !== 'string') return false
  if (type === 'string') return true
  // The address in the words of whoever hashes it.
  if (type === 'address') return true
  const isHex = /^0x(?:[0-9a-f]{2})*$/i.test(value)
  return isHex && (type === 'bytes' || value.length === 2 + 2 * Number(type.slice('bytes'.length)))
}

/** Whole numbers within the type's range: JSON numbers, decimal text, or hex without a sign. */
function isInteger(type: string, value: unknown): boolean {
  const isSpelt = typeof value === 'string' && value.length <= 80 && /^(?:-?\d+|0x[0-9a-f]+)$/i.test(value)
  if (!isSpelt && !Number.isInteger(value)) return false
  const number = BigInt(value as string | number)
  if (type.startsWith('u')) return number >= 0n && number < 1n << BigInt(type.slice('uint'.length))
  const half = 1n << (BigInt(type.slice('int'.length)) - 1n)
  return number >= -half && number < half
}

function mismatch(place: string, what: string, value: unknown): TypedDataError {
  return new TypedDataError(`${shortened(place)} is ${what}: ${value === undefined ? 'it is missing' : quote(value)}`)
}

/** The end of a place, which says most. */
function shortened(place: string): string {
  return place.length <= MAX_PLACE ? place : `…${place.slice(-MAX_PLACE)}`
}
