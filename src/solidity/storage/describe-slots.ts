import { bytesToHex, type Hash, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { keccak256 } from '#solidity/keccak.ts'
import { contentText, TEXT_LIMIT, wordText } from '#solidity/value-words.ts'
import { isString, mapSlots, type SlotMap, type StorageLeaf, slotsOf } from './locate.ts'
import type { LayoutType, StorageLayout } from './storage-layout.ts'

/** Hints for finding values of mappings, as a slot is a hash that does not reveal its key. */
export interface SlotHints {
  /** Inputs of KECCAK256 that were observed. */
  readonly preimages?: Iterable<Hex>
  /** Words that may be keys, such as addresses of known accounts. */
  readonly keys?: Iterable<Hash>
}

/** Storage values by slot. */
export type Slots = ReadonlyMap<Hash, Hash>

/** Values of slots, read one by one. */
export interface SlotValues {
  readonly get: (slot: Hash) => Hash | undefined
}

/** Most slots that {@link fixedSlots} returns, and most for the content of one string or array. */
const FIXED_LIMIT = 256
const CONTENT_LIMIT = 4n

/**
 * The slots that a contract's variables always have: those of plain values, structs and fixed-length arrays, those with the
 * lengths of others, and the first slots of their content. Only the first ones if there are many.
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

/** The variables in an account's storage, to read their values in many states. */
export interface NamedStorage {
  /** @param limit - Most variables to return; `count` counts all. */
  readonly valuesIn: (
    slots: SlotValues,
    limit: number,
  ) => {
    readonly count: number
    readonly variables: { readonly path: string; readonly type: string; readonly value: string | undefined }[]
  }
  /** The struct, array, mapping or string that begins in a slot. */
  readonly pathAt: (slot: bigint) => string | undefined
}

/**
 * Names the variables in an account's slots, in the order of the source. A mapping is represented by the values found in it;
 * if there are none, it is listed without a value.
 */
export function nameStorage(layout: StorageLayout, slots: readonly Hash[], hints: SlotHints = {}): NamedStorage {
  const map = slotMap(layout, hints, slots)
  const leaves = leavesOf(layout, map, slots)
  return {
    pathAt: (slot) => map.pathAt(slot),
    valuesIn(values, limit) {
      // Slots past an array's end may still be set; they are not items.
      const present = leaves.filter((leaf) => existsIn(leaf, values) !== false)
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

/** Whether the arrays that it is in are long enough; `undefined` if not all lengths are known. */
export function existsIn({ within }: StorageLeaf, slots: SlotValues): boolean | undefined {
  let isCertain = true
  for (const { length, index } of within) {
    const known = slots.get(toWord(length))
    if (known === undefined) isCertain = false
    else if (index >= BigInt(known)) return false
  }
  return isCertain ? true : undefined
}

function lengthText(leaf: StorageLeaf, slots: SlotValues): string | undefined {
  const length = valueOf(leaf, slots)
  return length === undefined ? undefined : `${length} ${length === '1' ? 'item' : 'items'}`
}

/** A variable, and its value in each of several states. */
export interface ViewedVariable {
  /** `immutable` and `constant` variables are in the code. */
  readonly kind: 'stored' | 'immutable' | 'constant'
  /** `balances[0x…]`, `items[2].name`. */
  readonly path: string
  /** As written in the source. */
  readonly type: string
  /** `undefined` if it is in the code. */
  readonly slot: Hash | undefined
  /** In bytes, from the right end of the slot. */
  readonly offset: number
  /** Whether it is an address, or the address of a contract. */
  readonly isAddress: boolean
  /**
   * In the order of the states, as text; the length for a dynamic array; `undefined` if it is not known; `null` if it is an
   * item of an array that is shorter in that state.
   */
  readonly values: readonly (string | null | undefined)[]
}

/** The storage of an account in several states. */
export interface ViewedStorage {
  /** In the order of the source. A mapping is listed only if none of its values is. */
  readonly variables: readonly ViewedVariable[]
  /** Slots that belong to no known variable. */
  readonly unnamed: readonly Hash[]
}

/**
 * Names the variables in slots, in several states of one account, such as before and after a transaction. A slot that a
 * state lacks is 0 in it.
 *
 * @param options.fixed - Whether the states have all slots that are not 0. Then the variables in {@link fixedSlots} are
 * included that no state has.
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
    (view): SlotValues => ({ get: (slot) => view.get(slot) ?? (fixed || known.has(slot) ? ZERO : undefined) }),
  )
  const wanted = changed
    ? [...used].filter((slot) => states.some((state) => state.get(slot) !== states[0]?.get(slot)))
    : [...used]
  const map = slotMap(layout, hints, used)
  const exists = (leaf: StorageLeaf) => states.some((state) => existsIn(leaf, state) !== false)
  const variables = leavesOf(layout, map, new Set([...own, ...wanted]))
    .filter(exists)
    .map((leaf) => ({
      kind: 'stored' as const,
      ...{ path: leaf.path, type: leaf.type.label, slot: toWord(leaf.slot), offset: leaf.offset },
      isAddress: leaf.type.word?.kind === 'address',
      values: states.map((state) => (existsIn(leaf, state) === false ? null : valueOf(leaf, state))),
    }))
  /** Past the end of an array there is no variable, whatever is stored there. */
  const isNamed = (slot: bigint) => map.leavesAt(slot).some(exists) || map.contentAt(slot) !== undefined
  return {
    variables: changed
      ? variables.filter(({ values }) => values.some((value) => value !== values[0] || value === undefined))
      : variables,
    unnamed: wanted.filter((slot) => !isNamed(BigInt(slot))),
  }
}

/** The arrays and mappings around a path: for `a[1].b[2]` these are `a` and `a[1].b`. */
function outerPaths(path: string): string[] {
  const paths: string[] = []
  for (let at = path.indexOf('['); at >= 0 && paths.length < MOST_OUTER; at = path.indexOf('[', at + 1)) {
    paths.push(path.slice(0, at))
  }
  return paths
}

/** Most brackets of a path that are followed: keys may contain them as well. */
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
 * The variables in slots: each once, however many slots it has, and a mapping only if none of its values is there. Variables
 * and members are in the order of their declaration, items and keys in their own order.
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

/** The bytes of a value in its slot, as a word of their own: on the left for bytes, on the right for others. */
export function wordIn({ type, offset }: Pick<StorageLeaf, 'type' | 'offset'>, word: Uint8Array): Uint8Array {
  const value = word.subarray(Math.max(0, 32 - offset - type.bytes), 32 - offset)
  const padded = new Uint8Array(32)
  padded.set(value, type.word?.kind === 'bytes' ? 0 : 32 - value.length)
  return padded
}

function valueOf(leaf: StorageLeaf, slots: SlotValues): string | undefined {
  const { type, slot } = leaf
  const hash = slots.get(toWord(slot))
  if (hash === undefined) return undefined
  const word = hexToBytes(hash)
  if (type.encoding === 'mapping') return undefined
  if (type.encoding === 'dynamic_array') return BigInt(hash).toString()
  if (type.encoding === 'bytes') return textOf(type, slot, word, slots)
  return type.word && wordText(type.word, wordIn(leaf, word))
}

function textOf(type: LayoutType, slot: bigint, word: Uint8Array, slots: SlotValues): string | undefined {
  const content = contentIn(slot, word, slots, TEXT_LIMIT)
  return content && contentText(isString(type), content.shown, content.length)
}

/**
 * The content of a `string` or of `bytes`: up to 31 bytes are in the slot itself, with twice their number; longer ones
 * elsewhere, with twice their number plus one.
 *
 * @param limit - How many bytes are read, at most.
 */
export function contentIn(
  slot: bigint,
  word: Uint8Array,
  slots: SlotValues,
  limit: number,
): { readonly shown: Uint8Array; readonly length: bigint } | undefined {
  const last = word[31] as number
  if (last % 2 === 0) {
    const inSlot = word.subarray(0, Math.min(31, last / 2))
    return { shown: inSlot, length: BigInt(inSlot.length) }
  }
  const length = (BigInt(bytesToHex(word)) - 1n) / 2n
  const shown = Number(length > BigInt(limit) ? BigInt(limit) : length)
  const content = new Uint8Array(32 * Math.ceil(shown / 32))
  const base = BigInt(keccak256(hexToBytes(toWord(slot))))
  let isWhole = true
  // All are asked for, also after one that is not known.
  for (let i = 0; 32 * i < shown; i++) {
    const part = slots.get(toWord(BigInt.asUintN(256, base + BigInt(i))))
    if (part === undefined) isWhole = false
    else content.set(hexToBytes(part), 32 * i)
  }
  return isWhole ? { shown: content.subarray(0, shown), length } : undefined
}
