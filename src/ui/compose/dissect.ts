import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'

/** The name of a field in a signed transaction. */
export type FieldName =
  | 'type'
  | 'header'
  | 'chainId'
  | 'nonce'
  | 'gasPrice'
  | 'tip'
  | 'feeCap'
  | 'gas'
  | 'to'
  | 'value'
  | 'data'
  | 'accessList'
  | 'authorizationList'
  | 'v'
  | 'yParity'
  | 'r'
  | 's'

/** The bytes of a field, including its RLP prefix. */
export interface ByteField {
  readonly name: FieldName
  /** All bytes, including the prefix. */
  readonly bytes: Hex
  /** The bytes without the prefix; for a list, its encoded items. */
  readonly payload: Hex
  /** Number of items, for a list. */
  readonly items: number | undefined
}

export type Dissection =
  | { readonly ok: true; readonly type: 0 | 1 | 2 | 4; readonly fields: readonly ByteField[] }
  | { readonly ok: false; readonly problem: string }

const TAIL = ['gas', 'to', 'value', 'data'] as const
const SIGNATURE = ['yParity', 'r', 's'] as const
const LAYOUTS: Readonly<Record<0 | 1 | 2 | 4, readonly FieldName[]>> = {
  0: ['nonce', 'gasPrice', ...TAIL, 'v', 'r', 's'],
  1: ['chainId', 'nonce', 'gasPrice', ...TAIL, 'accessList', ...SIGNATURE],
  2: ['chainId', 'nonce', 'tip', 'feeCap', ...TAIL, 'accessList', ...SIGNATURE],
  4: ['chainId', 'nonce', 'tip', 'feeCap', ...TAIL, 'accessList', 'authorizationList', ...SIGNATURE],
}
const LISTS: ReadonlySet<FieldName> = new Set(['accessList', 'authorizationList'])
const FIRST_LEGACY_BYTE = 0xc0

/** Splits a signed transaction into its fields, byte for byte: joined, they give the input. */
export function dissectTransaction(raw: Hex): Dissection {
  const bytes = hexToBytes(raw)
  const first = bytes[0]
  if (first === undefined) return { ok: false, problem: 'There are no bytes.' }
  const type = first >= FIRST_LEGACY_BYTE ? 0 : first
  if ((first !== type && type !== 0) || (first < FIRST_LEGACY_BYTE && type === 0) || !isKnown(type)) {
    return {
      ok: false,
      problem: `0x${first.toString(16).padStart(2, '0')} is not a transaction type. A transaction starts with 01, 02 or 04, or is an RLP list.`,
    }
  }
  const start = type === 0 ? 0 : 1
  const outer = readItem(bytes, start, bytes.length)
  if (typeof outer === 'string') return { ok: false, problem: outer }
  if (!outer.list) return { ok: false, problem: 'The fields must be an RLP list, and these bytes are not.' }
  if (outer.end !== bytes.length) {
    return {
      ok: false,
      problem: `There is more after the end of the transaction: ${formatCount(bytes.length - outer.end, 'byte')}.`,
    }
  }
  const fields: ByteField[] = type === 0 ? [] : [run('type', bytes, 0, 0, 1)]
  fields.push(run('header', bytes, start, start, outer.payload))
  let at = outer.payload
  for (const name of LAYOUTS[type]) {
    if (at === outer.end)
      return { ok: false, problem: `It ends before ${name}: type ${type} has ${LAYOUTS[type].length} fields.` }
    const item = readItem(bytes, at, outer.end)
    if (typeof item === 'string') return { ok: false, problem: `${name}: ${item}` }
    if (item.list !== LISTS.has(name)) {
      return { ok: false, problem: `${name} must be ${item.list ? 'bytes, but is a list' : 'a list, but is bytes'}.` }
    }
    const items = item.list ? countItems(bytes, item) : undefined
    if (typeof items === 'string') return { ok: false, problem: `${name}: ${items}` }
    fields.push({ ...run(name, bytes, at, item.payload, item.end), items })
    at = item.end
  }
  if (at !== outer.end)
    return { ok: false, problem: `Type ${type} has ${LAYOUTS[type].length} fields, but this one has more.` }
  return { ok: true, type, fields }
}

function isKnown(type: number): type is 0 | 1 | 2 | 4 {
  return type in LAYOUTS
}

function run(name: FieldName, bytes: Uint8Array, start: number, payload: number, end: number): ByteField {
  return {
    name,
    bytes: bytesToHex(bytes.subarray(start, end)),
    payload: bytesToHex(bytes.subarray(payload, end)),
    items: undefined,
  }
}

interface Item {
  readonly list: boolean
  readonly payload: number
  readonly end: number
}

/** Start and end of the RLP item at a position, or what is wrong with it. */
function readItem(bytes: Uint8Array, at: number, limit: number): Item | string {
  const prefix = bytes[at]
  if (prefix === undefined || at >= limit) return 'the bytes end too early.'
  if (prefix < 0x80) return { list: false, payload: at, end: at + 1 }
  const list = prefix >= 0xc0
  const short = prefix - (list ? 0xc0 : 0x80)
  if (short <= 55) return within({ list, payload: at + 1, end: at + 1 + short }, limit)
  const sizeBytes = short - 55
  let size = 0
  for (let i = 0; i < sizeBytes; i++) size = size * 256 + (bytes[at + 1 + i] ?? Number.NaN)
  const payload = at + 1 + sizeBytes
  return within({ list, payload, end: payload + size }, limit)
}

function within(item: Item, limit: number): Item | string {
  return item.end <= limit ? item : 'it is longer than the rest of the bytes.'
}

function countItems(bytes: Uint8Array, list: Item): number | string {
  let count = 0
  for (let at = list.payload; at < list.end; count++) {
    const item = readItem(bytes, at, list.end)
    if (typeof item === 'string') return item
    at = item.end
  }
  return count
}
