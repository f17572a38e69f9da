import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { bytesOfText } from './byte-text.ts'
import { addressKey, slotKey } from './trie-keys.ts'

test('keys are the keccak256 of the bytes, cached or not', () => {
  const zero = '0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563'
  for (let times = 0; times < 2; times++) {
    expect(bytesToHex(bytesOfText(slotKey(`0x${'00'.repeat(32)}`)))).toBe(zero)
    expect(bytesToHex(bytesOfText(addressKey(`0x${'00'.repeat(20)}`)))).toBe(
      '0x5380c7b7ae81a58eb98d9c78de4a1fd7fd9535fc953ed2be602daaa41767312a',
    )
  }
})
