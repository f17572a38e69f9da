import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [12_345, '12.3 kB'],
  [99_960, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [3_456_789_012, '3.5 GB'],
  [2e15, '2000 TB'],
])('%d is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
