import { expect, test } from 'vitest'
import { hexToBytes } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { BEACON_ROOTS_CODE, HISTORY_STORAGE_CODE } from './system-contracts.ts'

test('the system contracts have the same code as on Ethereum', () => {
  const mainnet = {
    beaconRoots: '0xf57acd40259872606d76197ef052f3d35588dadf919ee1f0e3cb9b62d3f4b02c',
    history: '0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d',
  }
  expect(keccak256Hex(hexToBytes(BEACON_ROOTS_CODE))).toBe(mainnet.beaconRoots)
  expect(keccak256Hex(hexToBytes(HISTORY_STORAGE_CODE))).toBe(mainnet.history)
})
