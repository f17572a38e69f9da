import { Bloom } from '@ethereumjs/vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { readBloom } from './logs-bloom.ts'

const topic = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('a bloom gives the same answer for every topic as the reference implementation, and misses none that was logged', () => {
  const bothSorts = fc.tuple(fc.array(topic, { maxLength: 200 }), fc.array(topic, { maxLength: 20 }))
  fc.assert(
    fc.property(bothSorts, ([logged, others]) => {
      const bloom = new Bloom()
      for (const each of logged) bloom.add(each)
      const mayHave = readBloom(bytesToHex(bloom.bitvector))
      for (const each of logged) expect(mayHave(bytesToHex(each))).toBe(true)
      for (const each of others) expect(mayHave(bytesToHex(each))).toBe(bloom.check(each))
    }),
  )
})
