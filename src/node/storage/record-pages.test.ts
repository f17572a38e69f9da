import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalBytes } from '#primitives/bytes.ts'
import { RecordPages } from './record-pages.ts'

test('records stay unchanged when others follow, and short ones share arrays', () => {
  const length = fc.oneof(
    { weight: 20, arbitrary: fc.nat(4_096) },
    { weight: 1, arbitrary: fc.integer({ min: 4_097, max: 90_000 }) },
  )
  fc.assert(
    fc.property(fc.array(length, { maxLength: 60, size: 'max' }), (lengths) => {
      const pages = new RecordPages()
      const records = lengths.map((bytes, n) => new Uint8Array(bytes).fill(n))
      const kept = records.map((record) => pages.keep(record))
      expect(kept.every((record, n) => equalBytes(record, records[n] as Uint8Array))).toBe(true)
      const short = kept.filter((record) => record.length <= 4_096)
      const bytes = short.reduce((sum, record) => sum + record.length, 0)
      // A new page starts when less than 4 kB of the 64 kB are free.
      expect(new Set(short.map(({ buffer }) => buffer)).size).toBeLessThanOrEqual(1 + Math.ceil(bytes / 61_440))
    }),
  )
})
