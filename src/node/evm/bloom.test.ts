import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { addLogs, emptyBloom, logsBloom } from './bloom.ts'

const log = (address: `0x${string}`, ...topics: `0x${string}`[]) => ({ address, topics, data: new Uint8Array(0) })

test('a hundred entries give the filter in the test vector of geth', () => {
  // core/types/bloom9_test.go, TestBloomExtensively: 100 entries and the hash of the filter.
  const entries = Array.from({ length: 100 }, (_, i) => `xxxxxxxxxx data ${i} yyyyyyyyyyyyyy`)
  const bloom = emptyBloom()
  for (const entry of entries) {
    const bytes = Uint8Array.from(entry, (char) => char.charCodeAt(0))
    addLogs(bloom, [log(bytesToHex(bytes))])
  }
  expect(keccak256Hex(bloom)).toBe('0xc8d3ca65cdb4874300a9e39475508f23ed6da09fdbc487f89a2dcf50b09eb263')
})

test('logs added one by one give the bloom of all logs', () => {
  const a = log(`0x${'11'.repeat(20)}`, `0x${'22'.repeat(32)}`)
  const b = log(`0x${'33'.repeat(20)}`)
  const both = emptyBloom()
  addLogs(both, [a])
  addLogs(both, [b])
  expect(both).toEqual(logsBloom([a, b]))
})
