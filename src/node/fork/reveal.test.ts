import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { type ByteText, bytesOfText, byteText } from '../state/byte-text.ts'
import { Trie } from '../state/trie.ts'
import type { CellSource } from '../state/trie-node.ts'
import { ProofError, reveal, unknownRoot } from './reveal.ts'

/** What is missing, as a key whose proof shows it. */
class Missing extends Error {
  readonly key: ByteText
  constructor(key: ByteText) {
    super('missing')
    this.key = key
  }
}

const encode = (value: Uint8Array) => value
const textOf = (hex: Hex) => byteText(hexToBytes(hex))
const hexOf = (text: ByteText) => bytesToHex(bytesOfText(text))
const source: CellSource = {
  missing(preimage) {
    if (preimage === undefined) throw new Error('the trie was listed')
    throw new Missing(textOf(preimage))
  },
  missingNode(key) {
    throw new Missing(key)
  },
}

/** A trie of which only the root is known, and a way to do something with it that fetches what is missing. */
function partialOf(full: Trie<Uint8Array>) {
  const root = unknownRoot<Uint8Array>(bytesToHex(full.root()), source)
  const trie = Trie.from(root, encode)
  const fetched: Hex[] = []
  const fetching = <Result>(work: () => Result): Result => {
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof Missing)) throw error
        expect(fetched, 'each thing is missing once').not.toContain(hexOf(error.key))
        fetched.push(hexOf(error.key))
        const value = reveal(root, error.key, full.prove(error.key), (bytes) => bytes)
        expect(value).toEqual(full.get(error.key))
      }
    }
  }
  return { trie, root, fetching, fetched }
}

/** Few distinct nibbles, so that keys share long prefixes and branches come and go. */
const key = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xf1), { minLength: 4, maxLength: 4 })
  .map((bytes) => byteText(Uint8Array.from(bytes)))
/** Short values make nodes below 32 bytes. */
const value = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 4 }), fc.uint8Array({ minLength: 30, maxLength: 60 }))
const entries = fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 40 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), key, value }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({ kind: fc.constant('get' as const), key }),
  fc.constant({ kind: 'fork' as const }),
  fc.constant({ kind: 'root' as const }),
)

function trieOf(content: readonly (readonly [ByteText, Uint8Array])[]): Trie<Uint8Array> {
  const trie = new Trie(encode)
  for (const [at, item] of content) trie.put(at, item)
  return trie
}

test('a trie known by its root alone, whose nodes are revealed by proofs, has the roots, values, proofs and changes of the whole one', () => {
  fc.assert(
    fc.property(entries, fc.array(step, { maxLength: 40 }), (content, steps) => {
      const base = trieOf(content)
      const { trie: partialBase, fetching } = partialOf(base)
      let full = base.branch()
      let partial = partialBase.branch()
      const touched = new Set<ByteText>()
      for (const each of steps) {
        if (each.kind === 'root') expect(hexOf(byteText(partial.root()))).toBe(hexOf(byteText(full.root())))
        if (each.kind === 'fork') {
          full = full.branch()
          partial = partial.branch()
        }
        if (!('key' in each)) continue
        touched.add(each.key)
        const preimage = hexOf(each.key)
        const before = fetching(() => partial.get(each.key, preimage))
        expect(before).toEqual(full.get(each.key))
        if (each.kind === 'put') {
          full.put(each.key, each.value)
          fetching(() => partial.put(each.key, each.value))
        }
        if (each.kind === 'delete') expect(fetching(() => partial.delete(each.key))).toBe(full.delete(each.key))
      }
      expect(bytesToHex(partial.root())).toBe(bytesToHex(full.root()))
      for (const each of touched) {
        expect(fetching(() => partial.prove(each, hexOf(each)))).toEqual(full.prove(each))
        expect(partialBase.prove(each, hexOf(each))).toEqual(base.prove(each))
      }
      const told = (trie: Trie<Uint8Array>, since: Trie<Uint8Array>) =>
        [...trie.changesSince(since)].map(({ key: at, before, after }) => [hexOf(at), before, after])
      const changed = [...full.changesSince(base)].filter(({ before, after }) => before !== after)
      expect(told(partial, partialBase)).toEqual(changed.map((each) => [hexOf(each.key), each.before, each.after]))
    }),
    { numRuns: 300 },
  )
})

test('a proof with any byte changed, without a node, or of another trie is refused or shows nothing else', () => {
  fc.assert(
    fc.property(entries, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (content, which, where, change) => {
      const full = trieOf(content)
      const [wanted] = content[which % content.length] as readonly [ByteText, Uint8Array]
      const proof = full.prove(wanted)
      const at = which % proof.length
      const node = (proof[at] as Uint8Array).slice()
      const byte = where % node.length
      node[byte] = (node[byte] as number) ^ change
      const { root } = partialOf(full)
      const other = () => expect.unreachable('a value was read from a wrong proof')
      expect(() => reveal(root, wanted, proof.with(at, node), other)).toThrow(ProofError)
      expect(() => reveal(root, wanted, proof.slice(0, at), other)).toThrow(ProofError)
      // What was right before the change is kept, and the right proof is still taken.
      expect(reveal(root, wanted, proof, (bytes) => bytes)).toEqual(full.get(wanted))
    }),
  )
})
