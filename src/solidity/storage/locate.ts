import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex, hexToBytes, toWord } from '#primitives/hex.ts'
import { partitionPoint } from '#primitives/partition-point.ts'
import { utf8 } from '#primitives/utf8.ts'
import { checksumAddress, keccak256 } from '#solidity/keccak.ts'
import type { LayoutType, StorageLayout } from './storage-layout.ts'

/** Most places in mappings and arrays that are looked up for one account. */
export const REGION_LIMIT = 50_000
/** Most variables found in one slot: an array of small structs has many. */
const LEAF_LIMIT = 64
/** Deepest nesting of mappings and arrays. */
const DEPTH_LIMIT = 16
/** Most types and places that are visited: a struct in a hostile layout may contain itself. */
const LOOK_LIMIT = 1_000_000
/** Most items of an array that are searched for. */
const ARRAY_SPAN = 1n << 32n
const WORD = 32n

/** A variable, or part of one, in a slot. */
export interface StorageLeaf {
  /** `balances[0x…]`, `items[2].name`. */
  readonly path: string
  readonly type: LayoutType
  readonly slot: bigint
  /** In bytes, from the right end of the slot. */
  readonly offset: number
}

/** A range of slots that one type fills. */
interface Region {
  readonly base: bigint
  /** Slots. */
  readonly span: bigint
  readonly path: string
  readonly type: LayoutType
  /** In bytes, from the right end of the first slot. */
  readonly offset: number
  /** Whether it holds consecutive items of the type, as a dynamic array does. */
  readonly isArray: boolean
  /** Whether it holds the content of a string, whose value is shown at the slot of its length. */
  readonly isContent: boolean
  /** For content, the slot with its length. */
  readonly owner: bigint
}

/** Finds the variables in the slots of an account. */
export interface SlotMap {
  /** Empty if unknown. */
  readonly leavesAt: (slot: bigint) => readonly StorageLeaf[]
  /** The string whose content is in a slot; the leaf's own slot is the one with its length. */
  readonly contentAt: (slot: bigint) => StorageLeaf | undefined
  /** The struct, array, mapping or string that begins in a slot; `undefined` if unknown. */
  readonly pathAt: (slot: bigint) => string | undefined
}

/**
 * Lays out the storage of an account.
 *
 * @param preimages - Inputs of KECCAK256 that were observed: a mapping's key, then its slot. Any others are ignored.
 * @param keys - Words that may be keys of mappings, such as addresses of accounts.
 * @param used - Slots in use: the content of their strings and arrays is located as well.
 */
export function mapSlots(
  layout: StorageLayout,
  preimages: Iterable<Uint8Array>,
  keys: readonly Uint8Array[],
  used: readonly bigint[],
): SlotMap {
  return new Regions(layout, preimages, keys, used)
}

class Regions implements SlotMap {
  readonly #types: ReadonlyMap<string, LayoutType>
  readonly #regions: Region[] = []
  readonly #bases = new Set<bigint>()
  /** Preimages by the slot at their end. */
  readonly #byTail = new Map<bigint, Uint8Array[]>()
  readonly #keys: readonly Uint8Array[]
  #sorted: readonly Region[] | undefined
  #looksLeft = LOOK_LIMIT

  constructor(
    { variables, types }: StorageLayout,
    preimages: Iterable<Uint8Array>,
    keys: readonly Uint8Array[],
    used: readonly bigint[],
  ) {
    this.#types = types
    this.#keys = keys
    let seen = 0
    for (const bytes of preimages) {
      if (bytes.length < 32 || seen++ >= REGION_LIMIT) continue
      const tail = bytesToBigInt(bytes, bytes.length - 32)
      const others = this.#byTail.get(tail)
      if (others) others.push(bytes)
      else this.#byTail.set(tail, [bytes])
    }
    for (const { label, slot, offset, type: id } of variables) {
      const type = types.get(id)
      if (type)
        this.#add(
          { base: slot, span: slotsOf(type), path: label, type, offset, isArray: false, isContent: false, owner: 0n },
          0,
        )
    }
    // Mappings inside array items: their slots are those that keys were hashed with.
    for (let depth = 1; depth < DEPTH_LIMIT; depth++) {
      const before = this.#regions.length
      // Look up all before adding any, so that the regions are sorted only once.
      const leaves = [...this.#byTail.keys(), ...used].flatMap((slot) => this.leavesAt(slot))
      for (const leaf of leaves) this.#within(leaf, depth)
      if (this.#regions.length === before) break
    }
  }

  leavesAt(slot: bigint): readonly StorageLeaf[] {
    const leaves: StorageLeaf[] = []
    for (const region of this.#regionsAt(slot)) {
      if (region.isContent) continue
      const { base, path, type, offset, isArray } = region
      if (isArray) this.#items(leaves, type, path, base, slot, undefined)
      else this.#leaves(leaves, type, path, base, offset, slot)
    }
    return leaves
  }

  contentAt(slot: bigint): StorageLeaf | undefined {
    const region = this.#regionsAt(slot).find(({ isContent }) => isContent)
    return region && { path: region.path, type: region.type, slot: region.owner, offset: 0 }
  }

  pathAt(slot: bigint): string | undefined {
    for (const { base, path, type, isArray, isContent } of this.#regionsAt(slot)) {
      if (isContent || isPlain(type)) continue
      const distance = slot - base
      if (distance === 0n && !isArray) return path
      if (isArray && distance % slotsOf(type) === 0n) return `${path}[${distance / slotsOf(type)}]`
    }
    return undefined
  }

  #regionsAt(slot: bigint): Region[] {
    this.#sorted ??= this.#regions.toSorted((a, b) => (a.base < b.base ? -1 : a.base > b.base ? 1 : 0))
    const sorted = this.#sorted
    const end = partitionPoint(sorted, ({ base }) => base <= slot)
    const found: Region[] = []
    // Packed variables share their first slot.
    for (let i = end - 1; i >= 0 && found.length < LEAF_LIMIT && this.#looksLeft-- > 0; i--) {
      const region = sorted[i] as Region
      if (slot < region.base + region.span) found.push(region)
      else if (found.length > 0 || slot - region.base > ARRAY_SPAN) break
    }
    return found.reverse()
  }

  #add(region: Region, depth: number): void {
    if (this.#regions.length >= REGION_LIMIT || depth > DEPTH_LIMIT) return
    this.#regions.push(region)
    this.#sorted = undefined
    if (region.isArray || region.isContent) return
    const { type, base, offset, path } = region
    for (const leaf of this.#compositesIn(type, path, base, offset)) this.#within(leaf, depth + 1)
  }

  /** Adds what a leaf keeps elsewhere: items, content, values by key. */
  #within({ path, type, slot }: StorageLeaf, depth: number): void {
    if (type.encoding === 'mapping') {
      const value = this.#types.get(type.value ?? '')
      const key = this.#types.get(type.key ?? '')
      if (!value || !key) return
      for (const { bytes, text } of this.#entries(key, slot)) {
        const base = bytesToBigInt(hexToBytes(keccak256(bytes)))
        if (this.#bases.has(base)) continue
        this.#bases.add(base)
        const span = slotsOf(value)
        this.#add(
          { base, span, path: `${path}[${text}]`, type: value, offset: 0, isArray: false, isContent: false, owner: 0n },
          depth,
        )
      }
      return
    }
    if (type.encoding !== 'dynamic_array' && type.encoding !== 'bytes') return
    const base = bytesToBigInt(hexToBytes(keccak256(hexToBytes(toWord(slot)))))
    if (this.#bases.has(base)) return
    this.#bases.add(base)
    const item = this.#types.get(type.base ?? '')
    if (type.encoding === 'bytes') {
      this.#regions.push({
        base,
        span: ARRAY_SPAN,
        path,
        type,
        offset: 0,
        isArray: false,
        isContent: true,
        owner: slot,
      })
    } else if (item)
      this.#regions.push({
        base,
        span: ARRAY_SPAN,
        path,
        type: item,
        offset: 0,
        isArray: true,
        isContent: false,
        owner: 0n,
      })
    this.#sorted = undefined
  }

  /** Keys that were hashed with a mapping's slot, or may have been. */
  *#entries(key: LayoutType, slot: bigint): Generator<{ readonly bytes: Uint8Array; readonly text: string }> {
    const isText = key.encoding === 'bytes'
    for (const bytes of this.#byTail.get(slot) ?? []) {
      const head = bytes.subarray(0, -32)
      if (isText) yield { bytes, text: contentText(key, head) }
      else if (head.length === 32) yield { bytes, text: valueText(key, head) }
    }
    if (isText) return
    for (const word of this.#keys) {
      const bytes = new Uint8Array(64)
      bytes.set(word)
      bytes.set(hexToBytes(toWord(slot)), 32)
      yield { bytes, text: valueText(key, word) }
    }
  }

  /** Mappings, strings and dynamic arrays within a type. */
  #compositesIn(type: LayoutType, path: string, slot: bigint, offset: number, depth = 0): StorageLeaf[] {
    if (type.encoding !== 'inplace') return [{ path, type, slot, offset }]
    if (depth > DEPTH_LIMIT || this.#looksLeft-- <= 0) return []
    const members = type.members.flatMap((member) => {
      const inner = this.#types.get(member.type)
      return inner
        ? this.#compositesIn(inner, `${path}.${member.label}`, slot + member.slot, member.offset, depth + 1)
        : []
    })
    const item = this.#types.get(type.base ?? '')
    if (!item || item.bytes < 32 || isPlain(item)) return members
    const size = slotsOf(item)
    const count = Math.min(Number(slotsOf(type) / size), LEAF_LIMIT)
    const items = Array.from({ length: count }, (_, i) =>
      this.#compositesIn(item, `${path}[${i}]`, slot + BigInt(i) * size, 0, depth + 1),
    )
    return [...members, ...items.flat()]
  }

  /** The parts of a variable in one slot. */
  #leaves(
    into: StorageLeaf[],
    type: LayoutType,
    path: string,
    base: bigint,
    offset: number,
    slot: bigint,
    depth = 0,
  ): void {
    if (into.length >= LEAF_LIMIT || depth > DEPTH_LIMIT || this.#looksLeft-- <= 0) return
    if (slot < base || slot >= base + slotsOf(type)) return
    if (type.encoding === 'inplace' && type.members.length > 0) {
      for (const { label, slot: at, offset: inner, type: id } of type.members) {
        const member = this.#types.get(id)
        if (member) this.#leaves(into, member, `${path}.${label}`, base + at, inner, slot, depth + 1)
      }
      return
    }
    const item = type.encoding === 'inplace' ? this.#types.get(type.base ?? '') : undefined
    if (item) this.#items(into, item, path, base, slot, /\[(\d{1,78})\]$/.exec(type.label)?.[1], depth + 1)
    else into.push({ path, type, slot, offset })
  }

  /** The items of an array in one slot. @param length - Number of items, if it is fixed. */
  #items(
    into: StorageLeaf[],
    item: LayoutType,
    path: string,
    base: bigint,
    slot: bigint,
    length: string | undefined,
    depth = 0,
  ): void {
    const perSlot = item.bytes < 32 ? Math.floor(32 / item.bytes) : 1
    const size = slotsOf(item)
    if (perSlot === 1) {
      const index = (slot - base) / size
      this.#leaves(into, item, `${path}[${index}]`, base + index * size, 0, slot, depth + 1)
      return
    }
    const first = (slot - base) * BigInt(perSlot)
    const left = length === undefined ? perSlot : Number(BigInt(length) - first)
    for (let i = 0; i < Math.min(perSlot, left); i++) {
      this.#leaves(into, item, `${path}[${first + BigInt(i)}]`, slot, i * item.bytes, slot, depth + 1)
    }
  }
}

/** Slots that a value of the type takes. */
export function slotsOf({ bytes }: LayoutType): bigint {
  return (BigInt(bytes) + WORD - 1n) / WORD
}

function isPlain({ encoding, base, members }: LayoutType): boolean {
  return encoding === 'inplace' && base === undefined && members.length === 0
}

/** The content of a `string` or `bytes` as text. */
export function contentText({ id }: LayoutType, bytes: Uint8Array): string {
  return id.startsWith('t_string') ? JSON.stringify(utf8.decode(bytes)) : bytesToHex(bytes)
}

/** A value of an elementary type as text. @param word - 32 bytes, as on the stack. */
export function valueText({ id, bytes }: LayoutType, word: Uint8Array): string {
  const value = bytesToBigInt(word)
  if (/^t_(address|contract)/.test(id)) return checksumAddress(bytesToHex(word.subarray(12)))
  if (id.startsWith('t_bool')) return value === 0n ? 'false' : 'true'
  if (id.startsWith('t_int')) return BigInt.asIntN(8 * Math.min(bytes, 32), value).toString()
  // On the stack, and as a key, these are left-aligned.
  if (/^t_bytes\d/.test(id)) return bytesToHex(word.subarray(0, bytes))
  if (id.startsWith('t_function')) return bytesToHex(word.subarray(32 - bytes))
  return value.toString()
}
