import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ByteText } from '../state/byte-text.ts'
import { Trie } from '../state/trie.ts'
import { DifferenceTrie, type TrieBase } from './difference-trie.ts'

const encode = (value: string) => new TextEncoder().encode(value)
/** Two characters, so that keys share their beginnings. */
const key = fc.constantFrom('aa', 'ab', 'ba', 'bb', 'b\0')
const value = fc.constantFrom('one', 'two', 'a value of more than thirty-two bytes')
const entries = fc.dictionary(key, value).map((found) => new Map<ByteText, string>(Object.entries(found)))

function baseOf(known: ReadonlyMap<ByteText, string>): TrieBase<string> {
  return {
    encode,
    get: (at) => known.get(at),
    preimageOf: () => '0x',
    isSame: (one, other) => one === other,
  }
}

/** Changes a trie until it has the entries. */
function make(trie: DifferenceTrie<string>, wanted: ReadonlyMap<ByteText, string>, order: readonly ByteText[]): void {
  for (const at of order) {
    const next = wanted.get(at)
    if (next === undefined) trie.delete(at)
    else trie.put(at, next)
  }
}

const KEYS = ['aa', 'ab', 'ba', 'bb', 'b\0']

test('its entries and its differences are those of any trie, and its root is the same however they came about', () => {
  const order = fc.shuffledSubarray(KEYS, { minLength: KEYS.length })
  fc.assert(
    fc.property(entries, entries, entries, order, order, (base, between, wanted, one, other) => {
      const begin = new DifferenceTrie(baseOf(base))
      const straight = begin.branch()
      make(straight, wanted, one)
      const winding = begin.branch()
      make(winding, between, other)
      const earlier = winding.branch()
      make(winding, wanted, one)

      for (const at of KEYS) {
        expect(winding.get(at)).toBe(wanted.get(at))
        expect(earlier.get(at)).toBe(between.get(at))
        expect(begin.get(at)).toBe(base.get(at))
      }
      expect(winding.root()).toEqual(straight.root())
      expect(begin.isUnchanged).toBe(true)
      const isBase = KEYS.every((at) => base.get(at) === wanted.get(at))
      expect(winding.isUnchanged).toBe(isBase)
      if (!isBase) expect(winding.root()).not.toEqual(begin.root())

      const differing = KEYS.filter((at) => between.get(at) !== wanted.get(at)).toSorted()
      const changes = [...winding.changesSince(earlier)]
      expect(changes).toEqual(differing.map((at) => ({ key: at, before: between.get(at), after: wanted.get(at) })))
    }),
    { numRuns: 200 },
  )
})

test('it is compared only with one of the same base, and nothing lists or proves it', () => {
  const trie = new DifferenceTrie(baseOf(new Map()))
  expect(() => [...trie.changesSince(new Trie(encode))]).toThrow('different bases')
  expect(() => trie.entries()).toThrow('cannot be listed')
  expect(() => trie.write()).toThrow('cannot be listed')
  expect(() => trie.prove()).toThrow('takes its endpoint at its word')
})
