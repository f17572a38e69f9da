import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { trieOfBytes } from './ordered-trie.ts'
import { EMPTY_TRIE_ROOT } from './state-snapshot.ts'

async function oracleRoot(items: readonly Uint8Array[]) {
  const trie = await createMPT({ useKeyHashingFunction: keccak256 })
  for (const [index, item] of items.entries()) await trie.put(RLP.encode(index), item)
  return bytesToHex(trie.root())
}

const item = fc.uint8Array({ minLength: 1, maxLength: 120 })

test('after each batch of items, the root is that of all items so far', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(item, { maxLength: 70, size: 'max' }), { maxLength: 5 }), async (portions) => {
      const trie = trieOfBytes()
      const items: Uint8Array[] = []
      for (const portion of portions) {
        for (const each of portion) trie.append(each)
        items.push(...portion)
        expect(trie.length).toBe(items.length)
        expect(bytesToHex(trie.root())).toBe(await oracleRoot(items))
      }
    }),
    { numRuns: 40, endOnFailure: true },
  )
})

test('indices may take one, two or three RLP bytes', async () => {
  const items = Array.from({ length: 300 }, (_, i) => Uint8Array.of(1 + (i & 0x7f), i >> 8, 3))
  const trie = trieOfBytes()
  for (const each of items) trie.append(each)
  expect(bytesToHex(trie.root())).toBe(await oracleRoot(items))
})

test('an empty list has the empty root', () => {
  expect(bytesToHex(trieOfBytes().root())).toBe(EMPTY_TRIE_ROOT)
})

test('a branch and its original are independent', async () => {
  const origin = trieOfBytes()
  origin.append(Uint8Array.of(1, 2))
  const branch = origin.branch()
  origin.append(Uint8Array.of(3))
  branch.append(Uint8Array.of(4))
  branch.append(Uint8Array.of(5))
  expect(bytesToHex(origin.root())).toBe(await oracleRoot([Uint8Array.of(1, 2), Uint8Array.of(3)]))
  expect(bytesToHex(branch.root())).toBe(await oracleRoot([Uint8Array.of(1, 2), Uint8Array.of(4), Uint8Array.of(5)]))
})
