import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader, ByteReaderError } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { InvariantError } from '#primitives/invariant.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { byteText } from './byte-text.ts'
import { Trie } from './trie.ts'
import type { EntryFormat } from './trie-record.ts'

interface Entry {
  readonly id: number
  readonly value: Uint8Array
}
const encode = ({ value }: Entry) => value
/** Keys are hashes, as in a state. */
const keyOf = (id: number) => byteText(keccak256(Uint8Array.of(id >> 8, id & 255)))
const format: EntryFormat<Entry> = {
  write(writer, { id, value }) {
    writer.uint(id).bytes(value)
    return undefined
  },
  read(reader) {
    const id = reader.uint()
    return [keyOf(id), { id, value: reader.bytes() }]
  },
}

function trieOf(entries: readonly Entry[]): Trie<Entry> {
  const trie = new Trie(encode)
  for (const entry of entries) trie.put(keyOf(entry.id), entry)
  return trie
}
function recordOf(trie: Trie<Entry>, packs = false): Uint8Array {
  const writer = new ByteWriter()
  const pieces = trie.write(writer, format, packs)
  while (!pieces.next().done);
  return writer.finish()
}
function read(record: Uint8Array): Trie<Entry> {
  const reader = new ByteReader(record)
  const trie = Trie.read(reader, encode, format)
  reader.finish()
  return trie
}
const root = (trie: Trie<Entry>) => bytesToHex(trie.root())
const idsOf = (trie: Trie<Entry>) => [...trie.entries()].map(([, { id }]) => id)

const entry = fc.record({ id: fc.nat(2_000), value: fc.uint8Array({ minLength: 1, maxLength: 40 }) })
const edit = fc.record({ id: fc.nat(2_000), value: fc.option(fc.uint8Array({ minLength: 1, maxLength: 40 })) })
/** From none to far more than are decoded together. */
const entries = fc
  .integer({ min: 0, max: 600 })
  .chain((length) => fc.array(entry, { minLength: length, maxLength: length }))

test('a trie survives a round trip, answers queries in any order, and can be edited like the original', () => {
  fc.assert(
    fc.property(entries, fc.array(edit, { maxLength: 40 }), fc.array(edit, { maxLength: 40 }), (made, edits, later) => {
      let original = trieOf(made)
      let copy = read(recordOf(original))
      for (const changes of [edits, later]) {
        for (const { id, value } of changes) {
          expect(copy.get(keyOf(id))?.value).toEqual(original.get(keyOf(id))?.value)
          for (const trie of [original, copy]) {
            if (value) trie.put(keyOf(id), { id, value })
            else trie.delete(keyOf(id))
          }
        }
        expect(root(copy)).toBe(root(original))
        // An edited trie is written in its current form.
        original = original.branch()
        copy = read(recordOf(copy))
      }
      expect(root(copy)).toBe(root(original))
      expect(idsOf(copy)).toEqual(idsOf(original))
      for (const { id } of made.slice(0, 5)) expect(copy.prove(keyOf(id))).toEqual(original.prove(keyOf(id)))
    }),
    { numRuns: 60 },
  )
})

test('a trie edited in place after it was written is written again with the edits, packed or not', () => {
  for (const packs of [false, true]) {
    const trie = trieOf(Array.from({ length: 500 }, (_, id) => ({ id, value: Uint8Array.of(1) })))
    recordOf(trie, packs)
    trie.put(keyOf(7), { id: 7, value: Uint8Array.of(2) })
    const copy = read(recordOf(trie, packs))
    for (const one of [copy, trie]) expect(one.get(keyOf(7))?.value).toEqual(Uint8Array.of(2))
    expect(root(copy)).toBe(root(trie))
  }
})

test('a trie that was read is written in the same bytes, whichever of its entries were asked for', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6_000 }), fc.array(fc.nat(6_000), { maxLength: 30 }), (size, asked) => {
      const record = recordOf(trieOf(Array.from({ length: size }, (_, id) => ({ id, value: Uint8Array.of(1) }))))
      const copy = read(record)
      for (const id of asked) expect(copy.get(keyOf(id))?.id).toBe(id < size ? id : undefined)
      expect(recordOf(copy)).toEqual(record)
    }),
    { numRuns: 20 },
  )
})

/** The format of the tests, which notes the entries that it decodes. */
function noting(decoded: number[]): EntryFormat<Entry> {
  return {
    write: format.write,
    read(reader) {
      const [key, value] = format.read(reader)
      decoded.push(value.id)
      return [key, value]
    },
  }
}

test('reading a large trie decodes no entries, and asking for one decodes those that are stored with it', () => {
  const size = 10_000
  const record = recordOf(trieOf(Array.from({ length: size }, (_, id) => ({ id, value: Uint8Array.of(1) }))))
  const decoded: number[] = []
  const copy = Trie.read(new ByteReader(record), encode, noting(decoded))
  expect(root(copy)).toBe(root(read(record)))
  expect(decoded).toEqual([])
  expect(copy.get(keyOf(7))?.id).toBe(7)
  expect(decoded).toContain(7)
  expect(decoded.length).toBeLessThanOrEqual(64)
})

test('corrupted bytes are detected on read', () => {
  const made = Array.from({ length: 300 }, (_, id) => ({ id, value: keccak256(Uint8Array.of(id & 255)) }))
  const trie = trieOf(made)
  const record = recordOf(trie)
  fc.assert(
    fc.property(fc.nat(record.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const damaged = record.slice()
      damaged[at] = (damaged[at] as number) ^ by
      try {
        const copy = read(damaged)
        expect([root(copy), idsOf(copy)]).not.toEqual([root(trie), idsOf(trie)])
      } catch (error) {
        expect([InvariantError, ByteReaderError]).toContain((error as Error).constructor)
      }
    }),
    { numRuns: 300 },
  )
})

/** Writes a trie piece by piece, and packs what has not changed since it was last written. */
class Packing {
  readonly #trie: Trie<Entry>
  readonly #writer = new ByteWriter()
  readonly #pieces: Generator<void, void>

  constructor(trie: Trie<Entry>) {
    this.#trie = trie
    this.#pieces = trie.branch().write(this.#writer, format, true)
  }

  /** Returns whether there is more to write. */
  step(pieces: number): boolean {
    for (let i = 0; i < pieces; i++) if (this.#pieces.next().done) return false
    return true
  }

  check(): void {
    const copy = read(this.#writer.finish())
    expect(root(copy)).toBe(root(this.#trie))
    expect(idsOf(copy)).toEqual(idsOf(this.#trie))
  }
}

const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('edit' as const), edits: fc.array(edit, { maxLength: 20 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pack' as const), of: fc.nat(), steps: fc.nat(40) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('read' as const), of: fc.nat(), ids: fc.array(fc.nat(2_000)) }),
  },
)

test('tries that are packed again and again have what they had, their differences too, and are written in the same bytes', () => {
  fc.assert(
    fc.property(entries, fc.array(act, { maxLength: 30 }), (made, acts) => {
      const tries = [trieOf(made)]
      const contents = [new Map(made.map((one) => [one.id, one]))]
      let packing: Packing | undefined
      for (const each of acts) {
        if (each.kind === 'edit') {
          const next = (tries.at(-1) as Trie<Entry>).branch()
          const content = new Map(contents.at(-1))
          for (const { id, value } of each.edits) {
            if (value) {
              const one = { id, value }
              next.put(keyOf(id), one)
              content.set(id, one)
            } else {
              next.delete(keyOf(id))
              content.delete(id)
            }
          }
          next.root()
          tries.push(next)
          contents.push(content)
        } else {
          const at = each.of % tries.length
          const trie = tries[at] as Trie<Entry>
          if (each.kind === 'pack') {
            packing ??= new Packing(trie)
            if (packing.step(each.steps)) continue
            packing.check()
            packing = undefined
          } else for (const id of each.ids) expect(trie.get(keyOf(id))).toEqual(contents[at]?.get(id))
        }
      }
      for (const [at, trie] of tries.entries()) {
        const content = contents[at] as Map<number, Entry>
        expect(root(trie)).toBe(root(trieOf([...content.values()])))
        const before = contents[at - 1]
        if (!before) continue
        const differing = [...trie.changesSince(tries[at - 1] as Trie<Entry>)].filter(
          (change) => bytesOf(change.before) !== bytesOf(change.after),
        )
        const ids = differing.map(({ before: early, after: late }) => (early ?? late)?.id ?? -1)
        const expected = [...new Set([...before.keys(), ...content.keys()])].filter(
          (id) => bytesOf(before.get(id)) !== bytesOf(content.get(id)),
        )
        expect(ids.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b))
      }
    }),
    { numRuns: 100 },
  )
})

const bytesOf = (one: Entry | undefined) => one && bytesToHex(one.value)

test('what has not changed between two writings is decoded again when it is asked for, and let go of when it is not', () => {
  const decoded: number[] = []
  const trie = trieOf(Array.from({ length: 5_000 }, (_, id) => ({ id, value: Uint8Array.of(1) })))
  const written = () => {
    const writer = new ByteWriter()
    for (const pieces = trie.write(writer, noting(decoded), true); !pieces.next().done; );
    return writer.finish()
  }
  const ask = () => {
    decoded.length = 0
    expect(trie.get(keyOf(7))?.id).toBe(7)
    return decoded.length
  }
  const record = written()
  expect(ask()).toBe(0)
  expect(written()).toEqual(record)
  // Nothing has changed since the first time.
  expect(ask()).toBeGreaterThan(0)
  expect(ask()).toBe(0)
  written()
  expect(ask()).toBe(0)
  written()
  written()
  expect(ask()).toBeGreaterThan(0)
  expect(written()).toEqual(record)
})

test('a value that takes long is written in pieces', () => {
  const inPieces: EntryFormat<Entry> = {
    *write(writer, { id, value }) {
      writer.uint(id)
      for (const byte of value) {
        writer.fixed(Uint8Array.of(byte))
        yield
      }
    },
    read(reader) {
      const id = reader.uint()
      return [keyOf(id), { id, value: reader.fixed(100) }]
    },
  }
  const made = Array.from({ length: 3 }, (_, id) => ({ id, value: new Uint8Array(100).fill(id + 1) }))
  const trie = trieOf(made)
  const writer = new ByteWriter()
  let pieces = 0
  for (const left = trie.write(writer, inPieces); !left.next().done; ) pieces++
  expect(pieces).toBeGreaterThanOrEqual(300)
  const copy = Trie.read(new ByteReader(writer.finish()), encode, inPieces)
  expect(root(copy)).toBe(root(trie))
  expect(made.map(({ id }) => copy.get(keyOf(id)))).toEqual(made)
})

test('nothing holds what was packed, and what was read of it goes when nobody asks for it any more', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const values: WeakRef<Entry>[] = []
  const watched = (one: Entry) => {
    values.push(new WeakRef(one))
    return one
  }
  const watching: EntryFormat<Entry> = {
    write: format.write,
    read(reader) {
      const [key, value] = format.read(reader)
      return [key, watched(value)]
    },
  }
  const held = async () => {
    for (let turn = 0; turn < 4; turn++) {
      await new Promise((resolve) => void setImmediate(resolve))
      collect()
    }
    return values.filter((value) => value.deref() !== undefined).length
  }
  const write = (trie: Trie<Entry>) => {
    const writer = new ByteWriter()
    for (const pieces = trie.branch().write(writer, watching, true); !pieces.next().done; );
    return writer.finish()
  }
  const size = 2_000
  const trie = new Trie(encode)
  for (let id = 0; id < size; id++) trie.put(keyOf(id), watched({ id, value: Uint8Array.of(1) }))
  const older = trie.branch()
  write(trie)
  expect(await held()).toBe(size)
  write(trie)
  expect(await held()).toBeLessThan(size / 10)
  // The older trie shares what was packed.
  expect(idsOf(older)).toHaveLength(size)
  expect(await held()).toBeGreaterThan((size * 9) / 10)
  write(trie)
  const record = write(trie)
  expect(await held()).toBeLessThan(size / 10)
  const opened = Trie.read(new ByteReader(record), encode, watching)
  expect(idsOf(opened)).toHaveLength(size)
  write(opened)
  write(opened)
  expect(await held()).toBeLessThan(size / 10)
  expect([trie, older, opened].map(root)).toEqual(Array(3).fill(root(trie)))
})
