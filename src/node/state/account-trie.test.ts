import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { slotLeaf, slotOf, valueOf, withValue } from './account-trie.ts'
import { byteText } from './byte-text.ts'

test('a storage leaf holds its slot and value, and keeps the slot when the value changes', () => {
  const slot = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex)
  const value = fc.uint8Array({ minLength: 1, maxLength: 32 }).map(byteText)
  fc.assert(
    fc.property(slot, value, value, (name, first, second) => {
      const leaf = slotLeaf(name, first)
      expect([slotOf(leaf), valueOf(leaf)]).toEqual([name, first])
      expect(withValue(leaf, second)).toBe(slotLeaf(name, second))
    }),
  )
})
