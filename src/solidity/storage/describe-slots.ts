import { bytesToHex, type Hash, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { keccak256 } from '#solidity/keccak.ts'
import { contentText, mapSlots, type SlotMap, type StorageLeaf, slotsOf, valueText } from './locate.ts'
import type { LayoutType, StorageLayout } from './storage-layout.ts'

/** Longest text or byte string that is put together, in bytes. */
export const STORED_TEXT_LIMIT = 4_096

/** What helps to find values of mappings: hashes tell nothing of what they are of. */
export interface SlotHints {
  /** Inputs of KECCAK256 that were seen. */
  readonly preimages?: Iterable<Hex>
  /** Words that may be keys, such as the addresses of known accounts. */
  readonly keys?: Iterable<Hash>
}

/** Values of storage by their slots. */
export type Slots = ReadonlyMap<Hash, Hash>

/** The same, where only some are asked for. */
export interface SlotValues {
  readonly get: (slot: Hash) => Hash | undefined
}

/** Most slots that {@link fixedSlots} tells, and how many of one text's content or one array's items. */
const FIXED_LIMIT = 256
const CONTENT_LIMIT = 4n

/**
 * The slots that a contract's variables have from the beginning: those of plain values, structs and arrays of a fixed length,
 * those with the lengths of others, and the first behind those; of many the first.
 */
export function fixedSlots({ variables, types }: StorageLayout): Hash[] {
  const slots = new Set<bigint>()
  const add = (start: bigint, end: bigint) => {
    for (let at = start; at < end && slots.size < FIXED_LIMIT; at++) slots.add(BigInt.asUintN(256, at))
  }
  for (const { slot, type: id } of variables) {
    const type = types.get(id)
    if (type) add(slot, slot + slotsOf(type))
  }
  for (const { slot, type: id } of variables) {
    const { encoding = 'inplace' } = types.get(id) ?? {}
    if (encoding !== 'bytes' && encoding !== 'dynamic_array') continue
    const base = BigInt(keccak256(hexToBytes(toWord(slot))))
    add(base, base + CONTENT_LIMIT)
  }
  return Array.from(slots, (slot) => toWord(slot))
}

/** The variables in an account's storage, whose values can be asked for again and again. */
export interface NamedStorage {
  /** @param limit - Most variables; `count` is of all. */
  readonly valuesIn: (
    slots: SlotValues,
    limit: number,
  ) => {
    readonly count: number
    readonly variables: { readonly path: string; readonly type: string; readonly value: string | undefined }[]
  }
  /** The struct, array, mapping or text that begins in a slot. */
  readonly pathAt: (slot: bigint) => string | undefined
}

/**
 * Names the variables in an account's slots, in the order of the source. A mapping is told by the values that
 * were found in it; without any, it has no value.
 */
export function nameStorage(layout: StorageLayout, slots: readonly Hash[], hints: SlotHints = {}): NamedStorage {
  const map = slotMap(layout, hints, slots)
  const leaves = leavesOf(layout, map, slots)
  const arrays = new Map(leaves.flatMap((leaf) => (leaf.type.encoding === 'dynamic_array' ? [[leaf.path, leaf]] : [])))
  const items = leaves.map(({ path }) => itemsIn(path, arrays))
  return {
    pathAt: (slot) => map.pathAt(slot),
    valuesIn(values, limit) {
      // Behind its end an array has no items.
      const present = leaves.filter((_, i) => items[i]?.every(({ array, index }) => index < lengthOf(array, values)))
      return {
        count: present.length,
        variables: present.slice(0, limit).map((leaf) => ({
          path: leaf.path,
          type: leaf.type.label,
          value: leaf.type.encoding === 'dynamic_array' ? lengthText(leaf, values) : valueOf(leaf, values),
        })),
      }
    },
  }
}

/** The dynamic arrays that a path is in, with the index in each. */
function itemsIn(path: string, arrays: ReadonlyMap<string, StorageLeaf>): { array: StorageLeaf; index: bigint }[] {
  return outerPaths(path).flatMap((outer) => {
    const array = arrays.get(outer)
    const index = /^\[(\d{1,78})\]/.exec(path.slice(outer.length, outer.length + 80))?.[1]
    return array && index !== undefined ? [{ array, index: BigInt(index) }] : []
  })
}

function lengthOf(array: StorageLeaf, slots: SlotValues): bigint {
  return BigInt(slots.get(toWord(array.slot)) ?? 0)
}

function lengthText(leaf: StorageLeaf, slots: SlotValues): string | undefined {
  const length = valueOf(leaf, slots)
  return length === undefined ? undefined : `${length} ${length === '1' ? 'item' : 'items'}`
}

/** A variable, and its value in each of several states. */
export interface ViewedVariable {
  /** `balances[0x…]`, `items[2].name`. */
  readonly path: string
  /** As it is written in the source. */
  readonly type: string
  readonly slot: Hash
  /** Bytes from the right of the slot. */
  readonly offset: number
  /** In the order of the states, as text: of a dynamic array its length; `undefined` if a slot that it needs is not known. */
  readonly values: readonly (string | undefined)[]
}

/** What stands in the storage of an account, in several states. */
export interface ViewedStorage {
  /** In the order of the source. A mapping stands among them only if none of its values does. */
  readonly variables: readonly ViewedVariable[]
  /** Slots that no variable is known of. */
  readonly unnamed: readonly Hash[]
}

/**
 * Names what stands in slots, in several states of one account, such as before and after a transaction. A slot that a
 * state lacks is 0 in it.
 *
 * @param options.fixed - Whether to name the variables in {@link fixedSlots} even where nothing stands in them.
 * @param options.changed - Whether to leave out what is the same in all states.
 */
export function describeViews(
  layout: StorageLayout,
  views: readonly Slots[],
  hints: SlotHints = {},
  { fixed = false, changed = false }: { readonly fixed?: boolean; readonly changed?: boolean } = {},
): ViewedStorage {
  const used = new Set(views.flatMap((view) => [...view.keys()]))
  const own = fixed ? fixedSlots(layout) : []
  const known = new Set([...own, ...used])
  const states = views.map(
    (view): SlotValues => ({ get: (slot) => view.get(slot) ?? (known.has(slot) ? ZERO : undefined) }),
  )
  const wanted = changed
    ? [...used].filter((slot) => states.some((state) => state.get(slot) !== states[0]?.get(slot)))
    : [...used]
  const map = slotMap(layout, hints, used)
  const variables = leavesOf(layout, map, new Set([...own, ...wanted])).map((leaf) => ({
    ...{ path: leaf.path, type: leaf.type.label, slot: toWord(leaf.slot), offset: leaf.offset },
    values: states.map((state) => valueOf(leaf, state)),
  }))
  return {
    variables: changed
      ? variables.filter(({ values }) => values.some((value) => value !== values[0] || value === undefined))
      : variables,
    unnamed: wanted.filter((slot) => map.leavesAt(BigInt(slot)).length === 0 && !map.contentAt(BigInt(slot))),
  }
}

/** What a path is in, by key or index: of `a[1].b[2]` that is `a` and `a[1].b`. */
function outerPaths(path: string): string[] {
  const paths: string[] = []
  for (let at = path.indexOf('['); at >= 0 && paths.length < MOST_OUTER; at = path.indexOf('[', at + 1)) {
    paths.push(path.slice(0, at))
  }
  return paths
}

/** Keys may have brackets, too. */
const MOST_OUTER = 16

const ZERO = toWord(0)
/** `items[9]` before `items[10]`. */
const inOrder = new Intl.Collator('en', { numeric: true })

function slotMap(layout: StorageLayout, { preimages = [], keys = [] }: SlotHints, used: Iterable<Hash>): SlotMap {
  return mapSlots(
    layout,
    [...preimages].map((hex) => hexToBytes(hex)),
    [...keys].map((word) => hexToBytes(word)),
    Array.from(used, BigInt),
  )
}

/**
 * What stands in slots: each variable once, however many slots it has, and a mapping only if none of its values is there. In
 * the order of the source: variables as they are declared, items and keys in their own order, members of a struct as in
 * storage.
 */
function leavesOf({ variables }: StorageLayout, map: SlotMap, slots: Iterable<Hash>): StorageLeaf[] {
  const found = new Map<string, StorageLeaf>()
  for (const hash of slots) {
    const slot = BigInt(hash)
    const leaves = map.leavesAt(slot)
    for (const leaf of leaves) found.set(leaf.path, found.get(leaf.path) ?? leaf)
    if (leaves.length > 0) continue
    const content = map.contentAt(slot)
    if (content && !found.has(content.path)) found.set(content.path, content)
  }
  const filled = new Set([...found.keys()].flatMap(outerPaths))
  const ranks = new Map(variables.map(({ label }, rank) => [label, rank]))
  return [...found.values()]
    .filter(({ type, path }) => type.encoding !== 'mapping' || !filled.has(path))
    .map((leaf) => ({
      leaf,
      rank: ranks.get(/^[^.[]*/.exec(leaf.path)?.[0] ?? '') ?? ranks.size,
      outer: leaf.path.slice(0, leaf.path.lastIndexOf('.') + 1) || leaf.path,
    }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        inOrder.compare(a.outer, b.outer) ||
        (a.leaf.slot < b.leaf.slot ? -1 : a.leaf.slot > b.leaf.slot ? 1 : 0) ||
        a.leaf.offset - b.leaf.offset,
    )
    .map(({ leaf }) => leaf)
}

function valueOf({ type, slot, offset }: StorageLeaf, slots: SlotValues): string | undefined {
  const hash = slots.get(toWord(slot))
  if (hash === undefined) return undefined
  const word = hexToBytes(hash)
  if (type.encoding === 'mapping') return undefined
  if (type.encoding === 'dynamic_array') return BigInt(hash).toString()
  if (type.encoding === 'bytes') return textOf(type, slot, word, slots)
  const value = word.subarray(32 - offset - type.bytes, 32 - offset)
  const padded = new Uint8Array(32)
  padded.set(value, /^t_bytes\d/.test(type.id) ? 0 : 32 - value.length)
  return valueText(type, padded)
}

/** Up to 31 bytes stand in the slot itself, with twice their number; longer ones elsewhere, with twice their number and one. */
function textOf(type: LayoutType, slot: bigint, word: Uint8Array, slots: SlotValues): string | undefined {
  const last = word[31] as number
  if (last % 2 === 0) return contentText(type, word.subarray(0, Math.min(31, last / 2)))
  const length = (BigInt(bytesToHex(word)) - 1n) / 2n
  const shown = Number(length > BigInt(STORED_TEXT_LIMIT) ? BigInt(STORED_TEXT_LIMIT) : length)
  const content = new Uint8Array(32 * Math.ceil(shown / 32))
  const base = BigInt(keccak256(hexToBytes(toWord(slot))))
  for (let i = 0; 32 * i < shown; i++) {
    const part = slots.get(toWord(BigInt.asUintN(256, base + BigInt(i))))
    if (part === undefined) return undefined
    content.set(hexToBytes(part), 32 * i)
  }
  const text = contentText(type, content.subarray(0, shown))
  return length > BigInt(shown) ? `${text}… (${length - BigInt(shown)} more bytes)` : text
}
