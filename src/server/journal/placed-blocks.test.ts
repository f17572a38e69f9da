import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoredBytes } from '#node/storage/journal.ts'
import { PlacedBlocks, readRow } from './placed-blocks.ts'

/** Keys and values in memory, as the file of a journal has them. */
class FakeFile {
  readonly #bytes: number[] = []

  append(key: string, value: Uint8Array) {
    this.#bytes.push(...Buffer.from(key, 'utf16le'), 0, 0, 0, 0)
    const offset = this.#bytes.length
    this.#bytes.push(...value)
    return { key, offset, length: value.length }
  }

  readNow(offset: number, length: number): Uint8Array {
    return Uint8Array.from(this.#bytes.slice(offset, offset + length))
  }
}

const KEYS = ['', 'a', 'b', 'ab', 'ü', '0000001f-aa', '0000001f-ab', '00000020-a', 'ffffffff-', '0000001F-a', '1f-aa']
const key = fc.oneof(
  fc.constant(fc.constantFrom(...KEYS)),
  // Only keys of a chain.
  fc.constant(fc.constantFrom(...KEYS.filter((each) => /^[0-9a-f]{8}-/.test(each)))),
)
const changeOf = (own: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), key: own, length: fc.nat(20) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('hold' as const), key: own }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), key: own }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pack' as const), from: fc.nat(5), count: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.constantFrom({ kind: 'clear' } as const, { kind: 'forgetKeys' } as const) },
    { weight: 1, arbitrary: fc.constant({ kind: 'move' } as const) },
  )
const history = key.chain((own) => fc.array(changeOf(own), { size: '+1' }))

test('whatever is written, taken back and moved to another file, entries are those of a map, and what is held is read', () => {
  fc.assert(
    fc.property(history, (changes) => {
      let file = new FakeFile()
      const blocks = new PlacedBlocks(file, () => {}, true)
      const model = new Map<string, Uint8Array>()
      const held: { place: StoredBytes; readonly value: Uint8Array }[] = []
      for (const [at, each] of changes.entries()) {
        if (each.kind === 'put') {
          const value = new Uint8Array(each.length).fill(at)
          const replaced = blocks.put(file.append(each.key, value))
          expect(replaced?.length).toBe(model.get(each.key)?.length)
          model.delete(each.key)
          model.set(each.key, value)
        } else if (each.kind === 'delete') {
          expect(blocks.delete(each.key)?.length).toBe(model.get(each.key)?.length)
          model.delete(each.key)
        } else if (each.kind === 'hold') {
          const place = blocks.hold(each.key)
          const value = model.get(each.key)
          expect(place?.length).toBe(value?.length)
          if (place && value) held.push({ place, value })
        } else if (each.kind === 'pack') {
          const some = held.slice(each.from, each.from + each.count)
          const placeAt = blocks.pack(some.map(({ place }) => place))
          for (const [index, one] of some.entries()) one.place = placeAt(index)
        } else if (each.kind === 'clear') {
          const lengths: [number, number][] = []
          blocks.clear((...of) => lengths.push(of))
          expect(lengths).toEqual([...model].map(([own, { length }]) => [own.length, length]))
          model.clear()
        } else if (each.kind === 'forgetKeys') blocks.forgetKeys()
        else {
          file = new FakeFile()
          const others = new PlacedBlocks(file, () => {}, false)
          // One that was replaced while the entries were copied.
          const [first] = model
          if (first) others.put(file.append(first[0], Uint8Array.of(1, 2, 3)))
          for (const [own, value] of model) others.put(file.append(own, value))
          blocks.moveTo(file, others)
        }
        expect([...blocks.entries()].map((own) => [own.key, file.readNow(own.offset, own.length)])).toEqual([...model])
        expect([...blocks.inOrder()].map((row) => readRow(file.readNow(row.offset, row.length), row))).toEqual(
          [...model].sort(([one], [other]) => (one < other ? -1 : 1)),
        )
        for (const { place, value } of held) {
          expect(place.read()).toEqual(value)
          if (value.length > 4) expect(place.read(1, 4)).toEqual(value.subarray(1, 4))
        }
      }
      for (const own of [...KEYS, 'other']) {
        expect(blocks.get(own)?.length).toBe(model.get(own)?.length)
      }
    }),
  )
})

test('an offset of 256 TB is kept', () => {
  const blocks = new PlacedBlocks({ readNow: () => Uint8Array.of() }, () => {}, true)
  for (const offset of [2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 48 - 1]) {
    blocks.put({ key: String(offset), offset, length: 2 ** 32 - 1 })
    expect(blocks.get(String(offset))).toEqual({ key: String(offset), offset, length: 2 ** 32 - 1 })
  }
})

/** What somebody can still read by. */
interface HeldPlaces {
  one: StoredBytes | undefined
  packed: ReturnType<PlacedBlocks<FakeFile>['pack']> | undefined
  ofPack: StoredBytes | undefined
}

// In functions of their own: an asynchronous one keeps what it has only used for a moment while it waits.
function holdSome(blocks: PlacedBlocks<FakeFile>, [first, ...others]: readonly string[]): HeldPlaces {
  const packed = blocks.pack(others.map((each) => blocks.hold(each) as StoredBytes))
  return { one: blocks.hold(first as string), packed, ofPack: packed(1) }
}

function readHeld(held: HeldPlaces, which: 'one' | 'ofPack'): Uint8Array | undefined {
  return held[which]?.read()
}

test('a file that was replaced is let go of once nobody can read what only it has', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const released: FakeFile[] = []
  const before = new FakeFile()
  const after = new FakeFile()
  const blocks = new PlacedBlocks<FakeFile>(before, (file) => released.push(file), false)
  const keys = ['a', 'b', 'c', 'd', 'e']
  for (const each of keys) blocks.put(before.append(each, Uint8Array.of(each.charCodeAt(0))))
  const held = holdSome(blocks, keys)
  for (const each of ['a', 'c', 'd']) blocks.delete(each)
  const others = new PlacedBlocks(after, () => {}, false)
  for (const each of ['b', 'e']) others.put(after.append(each, Uint8Array.of(each.charCodeAt(0))))
  expect(blocks.moveTo(after, others)).toBe(3)
  const collected = async (count: number) => {
    await expect.poll(() => (collect(), released.length)).toBe(count)
    expect(released).toEqual(Array.from({ length: count }, () => before))
  }
  await collected(0)
  expect(readHeld(held, 'one')).toEqual(Uint8Array.of(97))
  held.one = undefined
  await collected(1)
  held.packed = undefined
  await collected(1)
  expect(readHeld(held, 'ofPack')).toEqual(Uint8Array.of(99))
  expect(blocks.isHeld).toBe(true)
  held.ofPack = undefined
  await collected(3)
  expect(blocks.isHeld).toBe(false)
})
