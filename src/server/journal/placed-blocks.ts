import { HashIndex } from '#node/storage/hash-index.ts'
import type { PackedPlaces, StoredBytes } from '#node/storage/journal.ts'
import { NumberList } from '#node/storage/number-list.ts'
import { invariant } from '#primitives/invariant.ts'
import { KeyOrder, sortedByKey } from './key-order.ts'

/** A file whose bytes are read without waiting. */
interface ReadableFile {
  /** @throws {BlockUnreadableError} */
  readNow(offset: number, length: number): Uint8Array
}

/** An entry's value in the file. */
export interface PlacedBlock {
  readonly key: string
  readonly offset: number
  readonly length: number
}

/** Where the file has an entry: its key, and its value at the end. */
export interface PlacedRow {
  readonly offset: number
  readonly length: number
  readonly keyBytes: number
}

/** Entries that are held together, one by one: the engine takes a while for each object whose end it is to tell. */
const TOGETHER = 256

/** Numbers of entries that one object holds. */
interface HeldNumbers {
  readonly count: number
  readonly at: (index: number) => number
}

/** Bytes between a key and its value: the value's length. */
const BETWEEN = 4
/** Longest key, in UTF-16 code units. */
export const LONGEST_KEY = 255
const HOLDERS = 0x7f
const DELETED = 0x80
const TWO_TO_32 = 2 ** 32

/**
 * The entries of a journal's part that grows for as long as the chain: where their values are in the file, 18 bytes for
 * each. Keys are in the file as well, before the values. An entry has a number, in the order of the file.
 *
 * Whoever holds an entry can read its value after it was deleted or replaced, and after the file was rewritten.
 */
export class PlacedBlocks<File extends ReadableFile> {
  #file: File
  /** Lower half of each value's offset. */
  readonly #offsets = new NumberList()
  readonly #lengths = new NumberList()
  /** Upper half of the offset, 16 bits; length of the key, 8 bits; whether it is deleted; how many hold it, 7 bits. */
  readonly #rest = new NumberList()
  readonly #index: HashIndex<string>
  /** How the keys sort of a file that was just opened. */
  #order: KeyOrder | undefined
  /** Deleted entries that are held, and the file that still has them, if another one has taken its place. */
  readonly #elsewhere = new Map<number, File>()
  readonly #onReleased: (file: File) => void
  readonly #released = new FinalizationRegistry<HeldNumbers>(({ count, at }) => {
    this.#holders--
    for (let index = 0; index < count; index++) this.#release(at(index))
  })
  #holders = 0
  /** Holds the entries that were held last, one by one. */
  #holder: WeakRef<object> | undefined
  #ofHolder: number[] = []

  /**
   * @param onReleased - Told when nobody holds any more what a file has that was replaced.
   * @param isOpening - Whether all entries of a file come, and then will be read in the order of their keys.
   */
  constructor(file: File, onReleased: (file: File) => void, isOpening: boolean) {
    this.#file = file
    this.#onReleased = onReleased
    this.#order = isOpening ? new KeyOrder() : undefined
    this.#index = new HashIndex((number) => (this.#isDeleted(number) ? undefined : this.#keyOf(number)))
  }

  /** Whether somebody may still read a value. */
  get isHeld(): boolean {
    return this.#holders > 0
  }

  /** Whether {@link inOrder} need not read all keys. */
  get isOpening(): boolean {
    return this.#order !== undefined
  }

  /** Keeps nothing of keys from now on. */
  forgetKeys(): void {
    this.#order = undefined
  }

  /** Adds an entry whose key and value are in the file. Returns the one that it replaces. */
  put({ key, offset, length }: PlacedBlock): PlacedBlock | undefined {
    const replaced = this.delete(key)
    this.#offsets.push(offset % TWO_TO_32)
    this.#lengths.push(length)
    this.#rest.push((Math.floor(offset / TWO_TO_32) << 16) | (key.length << 8))
    this.#order?.add(key)
    this.#index.addTag(tagOf(key))
    return replaced
  }

  /** Returns the entry, if there was one. */
  delete(key: string): PlacedBlock | undefined {
    const number = this.#find(key)
    if (number === undefined) return undefined
    this.#rest.set(number, this.#rest.at(number) | DELETED)
    return { key, offset: this.#offsetOf(number), length: this.#lengths.at(number) }
  }

  /** @param visit - Told of every entry. */
  clear(visit: (keyLength: number, length: number) => void): void {
    for (let number = 0; number < this.#lengths.length; number++) {
      if (this.#isDeleted(number)) continue
      visit(this.#keyLengthOf(number), this.#lengths.at(number))
      this.#rest.set(number, this.#rest.at(number) | DELETED)
    }
  }

  get(key: string): PlacedBlock | undefined {
    const number = this.#find(key)
    return number === undefined ? undefined : this.#placed(number)
  }

  /** All entries, in the order of the file. */
  *entries(): Generator<PlacedBlock, void> {
    const { length } = this.#lengths
    for (let number = 0; number < length; number++) if (!this.#isDeleted(number)) yield this.#placed(number)
  }

  /** All entries, in the order of their keys. */
  *inOrder(): Generator<PlacedRow, void> {
    const entries = new Uint32Array(this.#lengths.length)
    let count = 0
    for (let number = 0; number < entries.length; number++) if (!this.#isDeleted(number)) entries[count++] = number
    const keyAt = (number: number) => this.#keyOf(number)
    const all = entries.subarray(0, count)
    for (const number of this.#order?.sorted(all, keyAt) ?? sortedByKey(all, keyAt)) {
      const keyBytes = 2 * this.#keyLengthOf(number)
      const before = keyBytes + BETWEEN
      yield { offset: this.#offsetOf(number) - before, length: before + this.#lengths.at(number), keyBytes }
    }
  }

  /** The value of an entry, to be read without waiting from now on. */
  hold(key: string): StoredBytes | undefined {
    const number = this.#find(key)
    if (number === undefined) return undefined
    let holder = this.#ofHolder.length < TOGETHER ? this.#holder?.deref() : undefined
    if (!holder) {
      holder = {}
      this.#holder = new WeakRef(holder)
      this.#ofHolder = []
      this.#register(holder, listOf(this.#ofHolder))
    }
    this.#ofHolder.push(number)
    this.#hold(number)
    return this.#heldAt(number, holder)
  }

  /** @param places - Results of {@link hold}. */
  pack(places: readonly StoredBytes[]): PackedPlaces {
    return this.#packed(numbersOf(places, this))
  }

  /** @throws {BlockUnreadableError} */
  read(number: number, start: number, end: number): Uint8Array {
    const file = this.#elsewhere.get(number) ?? this.#file
    return file.readNow(this.#offsetOf(number) + start, end - start)
  }

  /**
   * Another file takes the place of this one's; it has the same entries in the same order.
   *
   * @returns How many entries only this one's has that somebody may still read.
   */
  moveTo(file: File, others: PlacedBlocks<File>): number {
    let left = 0
    let other = 0
    for (let number = 0; number < this.#lengths.length; number++) {
      if (this.#isDeleted(number)) {
        if ((this.#rest.at(number) & HOLDERS) === 0 || this.#elsewhere.has(number)) continue
        this.#elsewhere.set(number, this.#file)
        left++
        continue
      }
      while (others.#isDeleted(other)) other++
      this.#offsets.set(number, others.#offsets.at(other))
      this.#rest.set(number, (others.#rest.at(other) & ~HOLDERS) | (this.#rest.at(number) & HOLDERS))
      other++
    }
    this.#file = file
    return left
  }

  #find(key: string): number | undefined {
    return this.#index.find(key, tagOf(key))
  }

  #isDeleted(number: number): boolean {
    return (this.#rest.at(number) & DELETED) !== 0
  }

  #offsetOf(number: number): number {
    return (this.#rest.at(number) >>> 16) * TWO_TO_32 + this.#offsets.at(number)
  }

  #keyLengthOf(number: number): number {
    return (this.#rest.at(number) >>> 8) & 0xff
  }

  #keyOf(number: number): string {
    const known = this.#order?.recent(number)
    if (known !== undefined) return known
    const bytes = 2 * this.#keyLengthOf(number)
    const key = this.#file.readNow(this.#offsetOf(number) - BETWEEN - bytes, bytes)
    return Buffer.from(key.buffer, key.byteOffset, bytes).toString('utf16le')
  }

  #placed(number: number): PlacedBlock {
    return { key: this.#keyOf(number), offset: this.#offsetOf(number), length: this.#lengths.at(number) }
  }

  #heldAt(number: number, holder: object): HeldBlock {
    return new HeldBlock(this, number, this.#lengths.at(number), holder)
  }

  #packed(numbers: HeldNumbers): PackedPlaces {
    // Who has one of its places has the pack.
    const packed = (index: number): StoredBytes => this.#heldAt(numbers.at(index), packed)
    for (let index = 0; index < numbers.count; index++) this.#hold(numbers.at(index))
    this.#register(packed, numbers)
    return packed
  }

  /** Nobody can read the entries through it once `holder` is gone. */
  #register(holder: object, numbers: HeldNumbers): void {
    this.#holders++
    this.#released.register(holder, numbers)
  }

  #hold(number: number): void {
    const rest = this.#rest.at(number)
    // Whoever is held so often is never released.
    if ((rest & HOLDERS) < HOLDERS) this.#rest.set(number, rest + 1)
  }

  #release(number: number): void {
    const rest = this.#rest.at(number)
    if ((rest & HOLDERS) === HOLDERS) return
    this.#rest.set(number, rest - 1)
    if ((rest & HOLDERS) > 1) return
    const file = this.#elsewhere.get(number)
    if (!file) return
    this.#elsewhere.delete(number)
    this.#onReleased(file)
  }
}

/** Reads what the file has of an entry. */
export function readRow(row: Uint8Array, { keyBytes }: PlacedRow): readonly [key: string, value: Uint8Array] {
  const key = Buffer.from(row.buffer, row.byteOffset, keyBytes).toString('utf16le')
  return [key, row.slice(keyBytes + BETWEEN)]
}

/** A place that can be read, whichever file has it. */
class HeldBlock implements StoredBytes {
  readonly of: Pick<PlacedBlocks<ReadableFile>, 'read'>
  readonly number: number
  readonly length: number
  /** Lives for as long as this can be read. */
  readonly holder: object

  constructor(of: HeldBlock['of'], number: number, length: number, holder: object) {
    this.of = of
    this.number = number
    this.length = length
    this.holder = holder
  }

  read(start = 0, end = this.length): Uint8Array {
    return this.of.read(this.number, start, end)
  }
}

function numbersOf(places: readonly StoredBytes[], of: HeldBlock['of']): HeldNumbers {
  const numbers = places.map((place) => {
    invariant(place instanceof HeldBlock && place.of === of, 'places are packed by who made them')
    return place.number
  })
  const [first = 0] = numbers
  const count = numbers.length
  // Numbers that follow each other need not be kept.
  return numbers.every((number, index) => number === first + index)
    ? runOf(first, count)
    : listOf(Uint32Array.from(numbers))
}

function runOf(first: number, count: number): HeldNumbers {
  return { count, at: (index) => first + index }
}

function listOf(numbers: ArrayLike<number>): HeldNumbers {
  return {
    get count() {
      return numbers.length
    },
    at: (index) => numbers[index] as number,
  }
}

/** FNV-1a. */
function tagOf(key: string): number {
  let tag = 0x811c_9dc5
  for (let at = 0; at < key.length; at++) tag = Math.imul(tag ^ key.charCodeAt(at), 0x0100_0193)
  return tag >>> 0
}
