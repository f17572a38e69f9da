import { createMerkleProof, createMPT, verifyMerkleProof } from '@ethereumjs/mpt'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { InvariantError } from '#primitives/invariant.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { bytesOfText, byteText } from './byte-text.ts'
import { Trie } from './trie.ts'

type Model = Map<Hex, Uint8Array>
type Operation =
  | { readonly kind: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly kind: 'delete'; readonly key: Uint8Array }
  | { readonly kind: 'root' }
  | { readonly kind: 'branch' }

const keyText = (hex: string) => byteText(hexToBytes(hex))
const createTrie = () => new Trie<Uint8Array>((value) => value)

/** Few distinct nibbles, so that keys share long prefixes and branches come and go. */
const key = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xf1), { minLength: 4, maxLength: 4 })
  .map((bytes) => Uint8Array.from(bytes))
/** Short values make nodes below 32 bytes; the longest one needs a long string header. */
const value = fc.oneof(
  { weight: 4, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 4 }) },
  { weight: 4, arbitrary: fc.uint8Array({ minLength: 20, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 250, maxLength: 300 }) },
)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('put' as const), key, value }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'root' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'branch' as const }) },
)

async function oracle(entries: Model) {
  const trie = await createMPT({ useKeyHashingFunction: keccak256 })
  for (const [hex, item] of entries) await trie.put(hexToBytes(hex), item)
  return trie
}

const listed = (trie: Trie<Uint8Array>) =>
  [...trie.entries()].map(([at, item]) => [bytesToHex(bytesOfText(at)), bytesToHex(item)] as const)
const sorted = (model: Model) =>
  [...model].map(([hex, item]) => [hex, bytesToHex(item)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))

/**
 * Runs the operations. Returns the trie and its expected content, the same for each branch, and the results of the
 * deletions.
 */
function run(operations: readonly Operation[]) {
  const trie = createTrie()
  const model: Model = new Map()
  const deletions: { readonly answered: boolean; readonly existed: boolean }[] = []
  const branches: { readonly trie: Trie<Uint8Array>; readonly model: Model }[] = []
  for (const step of operations) {
    switch (step.kind) {
      case 'put':
        trie.put(byteText(step.key), step.value)
        model.set(bytesToHex(step.key), step.value)
        break
      case 'delete':
        deletions.push({ answered: trie.delete(byteText(step.key)), existed: model.delete(bytesToHex(step.key)) })
        break
      case 'root':
        trie.root()
        break
      case 'branch':
        branches.push({ trie: trie.branch(), model: new Map(model) })
    }
  }
  return { trie, model, branches, deletions }
}

describe('against @ethereumjs/mpt', () => {
  test('after any puts and deletes, the root matches the remaining entries, in every branch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 60, size: 'max' }), async (operations) => {
        const { trie, model, branches, deletions } = run(operations)
        expect(deletions.map(({ answered }) => answered)).toEqual(deletions.map(({ existed }) => existed))
        for (const each of [{ trie, model }, ...branches]) {
          expect(listed(each.trie)).toEqual(sorted(each.model))
          expect(bytesToHex(each.trie.root())).toBe(bytesToHex((await oracle(each.model)).root()))
          expect(each.trie.isEmpty).toBe(each.model.size === 0)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('get returns the last value put and nothing else', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60, size: 'max' }), fc.array(key), (operations, others) => {
        const { trie, model } = run(operations)
        for (const [hex, item] of model) expect(trie.get(keyText(hex))).toBe(item)
        for (const other of others) expect(trie.get(byteText(other))).toBe(model.get(bytesToHex(other)))
      }),
    )
  })

  test('a proof of presence or absence verifies against the root and lists the nodes that are not embedded', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 1, maxLength: 40, size: 'max' }),
        key,
        async (operations, other) => {
          const { trie, model } = run(operations)
          fc.pre(model.size > 0)
          const theirs = await oracle(model)
          for (const proven of [other, ...[...model.keys()].slice(0, 5).map(hexToBytes)]) {
            const proof = trie.prove(byteText(proven))
            const expected = (await createMerkleProof(theirs, proven)).filter((rlp, i) => i === 0 || rlp.length >= 32)
            expect(proof.map(bytesToHex)).toEqual(expected.map(bytesToHex))
            expect(bytesToHex(keccak256(proof[0] as Uint8Array))).toBe(bytesToHex(trie.root()))
            const verified = await verifyMerkleProof(proven, proof, { useKeyHashingFunction: keccak256 })
            expect(verified === null ? undefined : bytesToHex(verified)).toBe(
              model.has(bytesToHex(proven)) ? bytesToHex(model.get(bytesToHex(proven)) as Uint8Array) : undefined,
            )
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test('a value of 70,000 bytes is hashed correctly', async () => {
    const large = new Uint8Array(70_000).fill(7)
    const model: Model = new Map([
      ['0x0011', large],
      ['0x0111', Uint8Array.of(1)],
    ])
    const trie = createTrie()
    for (const [hex, item] of model) trie.put(keyText(hex), item)
    expect(bytesToHex(trie.root())).toBe(bytesToHex((await oracle(model)).root()))
  })
})

test('edits of a branch do not affect the original, nor the other way round', () => {
  const original = createTrie()
  for (const hex of ['0x0011', '0x0012', '0x0211'] as const) original.put(keyText(hex), hexToBytes(hex))
  const root = original.root()
  const branch = original.branch()

  branch.delete(keyText('0x0012'))
  branch.put(keyText('0x0011'), Uint8Array.of(9))
  expect(original.root()).toEqual(root)
  expect(original.get(keyText('0x0011'))).toEqual(hexToBytes('0x0011'))

  const branchRoot = branch.root()
  original.put(keyText('0x0211'), Uint8Array.of(8))
  expect(branch.root()).toEqual(branchRoot)
  expect(branch.get(keyText('0x0211'))).toEqual(hexToBytes('0x0211'))
})

test('deleting an absent key changes nothing', () => {
  const trie = createTrie()
  trie.put(keyText('0x0011'), Uint8Array.of(1))
  const root = trie.root()
  expect(trie.delete(keyText('0x0012'))).toBe(false)
  expect(trie.root()).toEqual(root)
})

test('an empty trie proves absence without a node', () => {
  expect(createTrie().prove(keyText('0x0011'))).toEqual([])
})

test.each([
  ['0x0011', '0x001122'],
  ['0x001122', '0x0011'],
])('a key that is a prefix of another is refused, and the trie is unchanged', (first, second) => {
  for (const sibling of ['0x00113344', '0x0f00'] as const) {
    const trie = createTrie()
    trie.put(keyText(first), Uint8Array.of(1))
    if (first.length === 8) trie.put(keyText(sibling), Uint8Array.of(2))
    const root = trie.root()
    expect(() => trie.put(keyText(second), Uint8Array.of(3))).toThrow(InvariantError)
    expect(trie.root()).toEqual(root)
  }
})
