import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex, hexToBytes, toWord } from '#primitives/hex.ts'
import { partitionPoint } from '#primitives/partition-point.ts'
import { keccak256 } from '#solidity/keccak.ts'
import { contentText, wordText } from '#solidity/value-words.ts'
import type { LayoutType, LayoutVariable, StorageLayout } from './storage-layout.ts'

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

/** An item of a dynamic array. */
export interface ArrayItem {
  /** The slot with the length of the array. */
  readonly length: bigint
  readonly index: bigint
}

/** A variable, or part of one, in a slot. */
export interface StorageLeaf {
  /** `balances[0x…]`, `items[2].name`. */
  readonly path: string
  readonly type: LayoutType
  readonly slot: bigint
  /** In bytes, from the right end of the slot. */
  readonly offset: number
  /** The items of dynamic arrays that it is in, the outermost first. It only exists if all of these do. */
  readonly within: readonly ArrayItem[]
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
  /** For content and items, the slot with their length. */
  readonly owner: bigint
  /** The items of dynamic arrays that it is in. */
  readonly within: readonly ArrayItem[]
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
      if (type) this.#addWhole({ path: label, type, slot, offset, within: [] }, 0)
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
      const { base, path, type, offset, within, owner } = region
      const whole = { path, type, slot: base, offset, within }
      if (region.isArray) this.#items(leaves, whole, slot, { owner })
      else this.#leaves(leaves, whole, slot)
    }
    return leaves
  }

  contentAt(slot: bigint): StorageLeaf | undefined {
    const region = this.#regionsAt(slot).find(({ isContent }) => isContent)
    return region && { path: region.path, type: region.type, slot: region.owner, offset: 0, within: region.within }
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

  /** Adds a variable or a mapping's value, with what it keeps elsewhere. */
  #addWhole(whole: StorageLeaf, depth: number): void {
    if (this.#regions.length >= REGION_LIMIT || depth > DEPTH_LIMIT) return
    const { slot: base, ...rest } = whole
    this.#regions.push({ ...rest, base, span: slotsOf(whole.type), isArray: false, isContent: false, owner: 0n })
    this.#sorted = undefined
    for (const leaf of this.#compositesIn(whole)) this.#within(leaf, depth + 1)
  }

  /** Adds what a leaf keeps elsewhere: items, content, values by key. */
  #within({ path, type, slot, within }: StorageLeaf, depth: number): void {
    if (type.encoding === 'mapping') {
      const value = this.#types.get(type.value ?? '')
      const key = this.#types.get(type.key ?? '')
      if (!value || !key) return
      for (const { bytes, text } of this.#entries(key, slot)) {
        const base = bytesToBigInt(hexToBytes(keccak256(bytes)))
        if (this.#bases.has(base)) continue
        this.#bases.add(base)
        this.#addWhole({ path: `${path}[${text}]`, type: value, slot: base, offset: 0, within }, depth)
      }
      return
    }
    if (type.encoding !== 'dynamic_array' && type.encoding !== 'bytes') return
    const base = bytesToBigInt(hexToBytes(keccak256(hexToBytes(toWord(slot)))))
    if (this.#bases.has(base)) return
    this.#bases.add(base)
    const isContent = type.encoding === 'bytes'
    const held = isContent ? type : this.#types.get(type.base ?? '')
    if (!held) return
    const place = { base, span: ARRAY_SPAN, path, offset: 0, owner: slot, within }
    this.#regions.push({ ...place, type: held, isArray: !isContent, isContent })
    this.#sorted = undefined
  }

  /** Keys that were hashed with a mapping's slot, or may have been. */
  *#entries(key: LayoutType, slot: bigint): Generator<{ readonly bytes: Uint8Array; readonly text: string }> {
    const isText = key.encoding === 'bytes'
    for (const bytes of this.#byTail.get(slot) ?? []) {
      const head = bytes.subarray(0, -32)
      if (isText) yield { bytes, text: contentText(isString(key), head) }
      else if (head.length === 32) yield { bytes, text: keyText(key, head) }
    }
    if (isText) {
      // The hash of an empty key has only the slot in it, and is not told among the observed ones.
      yield { bytes: hexToBytes(toWord(slot)), text: contentText(isString(key), new Uint8Array()) }
      return
    }
    for (const word of this.#keys) {
      const bytes = new Uint8Array(64)
      bytes.set(word)
      bytes.set(hexToBytes(toWord(slot)), 32)
      yield { bytes, text: keyText(key, word) }
    }
  }

  /** Mappings, strings and dynamic arrays within a variable. */
  #compositesIn(whole: StorageLeaf, depth = 0): StorageLeaf[] {
    const { type, path, slot, within } = whole
    if (type.encoding !== 'inplace') return [whole]
    if (depth === DEPTH_LIMIT || this.#looksLeft <= 0) return []
    // Each member counts: those of a hostile layout may be so many that no more than their number fits.
    this.#looksLeft -= 1 + type.members.length
    const members = type.members.flatMap((member) => {
      const inner = this.#types.get(member.type)
      return inner ? this.#compositesIn(memberOf(whole, member, inner), depth + 1) : []
    })
    const item = this.#types.get(type.base ?? '')
    if (!item || item.bytes < 32 || isPlain(item)) return members
    const size = slotsOf(item)
    const count = Math.min(Number(slotsOf(type) / size), LEAF_LIMIT)
    const items = Array.from({ length: count }, (_, i) =>
      this.#compositesIn(
        { path: `${path}[${i}]`, type: item, slot: slot + BigInt(i) * size, offset: 0, within },
        depth + 1,
      ),
    )
    return [...members, ...items.flat()]
  }

  /** The parts of a variable in one slot. */
  #leaves(into: StorageLeaf[], whole: StorageLeaf, slot: bigint, depth = 0): void {
    const { type } = whole
    if (into.length >= LEAF_LIMIT || this.#looksLeft-- <= 0) return
    if (slot < whole.slot || slot >= whole.slot + slotsOf(type)) return
    if (type.encoding === 'inplace' && type.members.length > 0) {
      if (depth === DEPTH_LIMIT) return
      this.#looksLeft -= type.members.length
      for (const member of type.members) {
        const inner = this.#types.get(member.type)
        if (inner) this.#leaves(into, memberOf(whole, member, inner), slot, depth + 1)
      }
      return
    }
    const item = type.encoding === 'inplace' ? this.#types.get(type.base ?? '') : undefined
    if (item && depth < DEPTH_LIMIT) {
      const length = /\[(\d{1,78})\]$/.exec(type.label)?.[1]
      this.#items(into, { ...whole, type: item }, slot, { length }, depth + 1)
    } else if (!item) into.push(whole)
  }

  /**
   * The items of an array in one slot.
   *
   * @param array - With the type of its items.
   * @param size - Number of items if it is fixed, or else the slot that has it.
   */
  #items(
    into: StorageLeaf[],
    array: StorageLeaf,
    slot: bigint,
    { length, owner }: { readonly length?: string | undefined; readonly owner?: bigint },
    depth = 0,
  ): void {
    const { type: item, path, slot: base, within } = array
    const perSlot = item.bytes < 32 ? Math.floor(32 / item.bytes) : 1
    const place = (index: bigint, start: bigint, offset: number): StorageLeaf => ({
      path: `${path}[${index}]`,
      type: item,
      slot: start,
      offset,
      within: owner === undefined ? within : [...within, { length: owner, index }],
    })
    if (perSlot === 1) {
      const size = slotsOf(item)
      const index = (slot - base) / size
      this.#leaves(into, place(index, base + index * size, 0), slot, depth + 1)
      return
    }
    const first = (slot - base) * BigInt(perSlot)
    const left = length === undefined ? perSlot : Number(BigInt(length) - first)
    for (let i = 0; i < Math.min(perSlot, left); i++) {
      this.#leaves(into, place(first + BigInt(i), slot, i * item.bytes), slot, depth + 1)
    }
  }
}

/** A member of a struct. @param type - Its type. */
export function memberOf(struct: StorageLeaf, { label, slot, offset }: LayoutVariable, type: LayoutType): StorageLeaf {
  // Not by spreading the struct, which takes many times as long.
  return { path: `${struct.path}.${label}`, type, slot: struct.slot + slot, offset, within: struct.within }
}

/** Slots that a value of the type takes. */
export function slotsOf({ bytes }: LayoutType): bigint {
  return (BigInt(bytes) + WORD - 1n) / WORD
}

function isPlain({ encoding, base, members }: LayoutType): boolean {
  return encoding === 'inplace' && base === undefined && members.length === 0
}

/** Whether it is a `string`, not `bytes`. */
export function isString({ id }: LayoutType): boolean {
  return id.startsWith('t_string')
}

/** A key of a mapping as text: that of a type that nobody knows is the word itself. */
function keyText({ word: type }: LayoutType, word: Uint8Array): string {
  return type ? wordText(type, word) : bytesToHex(word)
}
