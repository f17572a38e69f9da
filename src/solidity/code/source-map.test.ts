import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Code } from '#solidity/build/build.ts'
import { JUMP, mapCode } from './source-map.ts'

function code(bytes: readonly number[], sourceMap: string): Code {
  return { bytes: Uint8Array.from(bytes), sourceMap, links: [], immutables: [], generatedSources: [], functions: [] }
}

test('a field that an entry leaves out is that of the entry before', () => {
  // PUSH2 0x5b56, JUMPDEST, ADD, JUMP, STOP
  const mapped = mapCode(code([0x61, 0x5b, 0x56, 0x5b, 0x01, 0x56, 0x00], '10:5:0:-;;7::1:i;:3;0:0:-1:o'))
  expect([...mapped.pcs]).toEqual([0, 3, 4, 5, 6])
  expect([...mapped.at]).toEqual([0, -1, -1, 1, 2, 3, 4])
  expect([...mapped.starts]).toEqual([10, 10, 7, 7, 0])
  expect([...mapped.lengths]).toEqual([5, 5, 5, 3, 0])
  expect([...mapped.files]).toEqual([0, 0, 1, 1, -1])
  expect([...mapped.jumps]).toEqual([JUMP.none, JUMP.none, JUMP.into, JUMP.into, JUMP.out])
})

test('instructions past the end of the map have no place', () => {
  expect([...mapCode(code([0x00, 0x00], '1:2:3:-')).files]).toEqual([3, -1])
})

test('any text gives as many entries as there are instructions', () => {
  const text = fc.string({ unit: fc.constantFrom('0', '1', '23', '9999999999', ':', ';', '-', 'i', 'o', 'x') })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), text, (bytes, map) => {
      const { pcs, files, starts } = mapCode(code([...bytes], map))
      expect(files.length).toBe(pcs.length)
      expect(starts.length).toBe(pcs.length)
    }),
  )
})
