import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, toWord } from '#primitives/hex.ts'
import {
  accountLeaf,
  accountOf,
  addressOf,
  createStorageTrie,
  encodeAccount,
  isSameLeaf,
  slotLeaf,
  slotOf,
  storageOf,
  valueOf,
  withValue,
} from './account-trie.ts'
import { byteText } from './byte-text.ts'
import { EMPTY_CODE_HASH } from './state-reader.ts'

test('a storage leaf holds its slot and value, and keeps the slot when the value changes', () => {
  const slot = fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex), fc.nat(70_000).map(toWord))
  const value = fc.uint8Array({ minLength: 1, maxLength: 32 }).map(byteText)
  fc.assert(
    fc.property(slot, value, value, (name, first, second) => {
      const leaf = slotLeaf(name, first)
      expect([slotOf(leaf), valueOf(leaf)]).toEqual([name, first])
      expect(withValue(leaf, second)).toBe(slotLeaf(name, second))
    }),
  )
})

test('an account leaf holds its address and account, with and without code and storage', () => {
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytesToHex)
  const account = fc.record({
    nonce: fc.bigInt(0n, 2n ** 64n - 1n),
    balance: fc.bigInt(0n, 2n ** 256n - 1n),
    codeHash: fc.constantFrom(EMPTY_CODE_HASH, toWord(1)),
  })
  const storage = createStorageTrie()
  fc.assert(
    fc.property(address, account, fc.constantFrom(undefined, storage), (name, fields, slots) => {
      const leaf = accountLeaf(name, fields, slots)
      expect([addressOf(leaf), accountOf(leaf), storageOf(leaf)]).toEqual([name, fields, slots])
      expect(isSameLeaf(leaf, accountLeaf(name, { ...fields }, slots))).toBe(true)
      expect(isSameLeaf(leaf, accountLeaf(name, { ...fields, nonce: fields.nonce ^ 1n }, slots))).toBe(false)
      expect(isSameLeaf(leaf, accountLeaf(name, fields, createStorageTrie()))).toBe(false)
    }),
  )
})

test('an account is encoded as RLP has it, with code and storage or without, at the edges of its numbers too', () => {
  const edge = fc.constantFrom(0n, 1n, 127n, 128n, 129n, 255n, 256n)
  const nonce = fc.oneof(edge, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
  const balance = fc.oneof(edge, fc.constant(2n ** 256n - 1n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
  const code = fc.constantFrom(EMPTY_CODE_HASH, toWord(5))
  fc.assert(
    fc.property(nonce, balance, code, fc.boolean(), (nonceOf, wei, codeHash, hasSlot) => {
      const storage = createStorageTrie()
      if (hasSlot) storage.put(byteText(new Uint8Array(32)), slotLeaf(toWord(0), byteText(Uint8Array.of(1))))
      const account = { nonce: nonceOf, balance: wei, codeHash }
      const leaf = accountLeaf(`0x${'11'.repeat(20)}`, account, hasSlot ? storage : undefined)
      const expected = RLP.encode([nonceOf, wei, storage.root(), codeHash])
      expect(bytesToHex(encodeAccount(leaf))).toBe(bytesToHex(expected))
    }),
  )
})
