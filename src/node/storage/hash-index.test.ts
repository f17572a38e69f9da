import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hash, hexToBytes } from '#primitives/hex.ts'
import { HashIndex, tagsOf } from './hash-index.ts'

/** Few prefixes, so that hashes collide in the table, and few suffixes, so that some repeat. */
const hash = fc
  .tuple(fc.constantFrom('00000000', '00000001', '0000003f', 'ffffffff', '80000000'), fc.nat(20))
  .map(([start, end]): Hash => `0x${start}${end.toString(16).padStart(56, '0')}`)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.array(hash, { minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.nat(150) },
)

test('a look-up finds the newest entry that was not removed, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(step), fc.array(hash), (steps, others) => {
      const hashes: Hash[] = []
      const index = new HashIndex((position) => hashes[position])
      for (const change of steps) {
        if (typeof change === 'number') {
          const length = Math.min(change, hashes.length)
          index.truncate(length)
          hashes.length = length
          continue
        }
        for (const added of change) {
          hashes.push(added)
          // As text and as bytes, in turns.
          if (hashes.length % 2 === 0) index.add(added)
          else for (const tag of tagsOf(hexToBytes(`0x00${added.slice(2)}`).subarray(1))) index.addTag(tag)
        }
      }
      expect(index.length).toBe(hashes.length)
      for (const asked of [...hashes, ...others]) {
        const newest = hashes.lastIndexOf(asked)
        expect(index.find(asked)).toBe(newest === -1 ? undefined : newest)
      }
    }),
  )
})

test('entries beyond a run are found as the others are, also after some of them were removed', () => {
  const hashes: Hash[] = Array.from({ length: 300_000 }, (_, i): Hash => {
    const start = Math.imul(i % 210_000, 2_654_435_761) >>> 0
    return `0x${start.toString(16).padStart(8, '0')}${(i % 210_000).toString(16).padStart(56, '0')}`
  })
  let read = 0
  const index = new HashIndex((position) => {
    read++
    return hashes[position]
  })
  const check = () => {
    expect(index.length).toBe(hashes.length)
    const newest = new Map(hashes.map((each, position) => [each, position]))
    const wrong = [...newest].filter(([each, position]) => index.find(each) !== position)
    expect(wrong).toEqual([])
  }
  for (const each of hashes) index.add(each)
  check()
  read = 0
  for (let i = 0; i < 1_000; i++) index.find(`0x${i.toString(16).padStart(8, '9')}${'f'.repeat(56)}`)
  expect(read).toBeLessThan(5)
  for (const length of [299_000, 196_605, 131_070, 10]) {
    index.truncate(length)
    hashes.length = length
    check()
    const again: Hash[] = hashes.slice(0, 70_000)
    for (const each of again) index.add(each)
    hashes.push(...again)
    check()
    index.truncate(length)
    hashes.length = length
  }
})
