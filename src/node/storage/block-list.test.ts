import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testBlock } from '#testing/node/storage/blocks.ts'
import type { SealedBlock } from '../payload/block.ts'
import { BlockList, type BlockSequence, CHUNK } from './block-list.ts'

const BLOCKS = Array.from({ length: 40 }, (_, number) => testBlock(number))
const block = fc.constantFrom(...BLOCKS)
const change = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), block, times: fc.nat(600) }),
  fc.record({ kind: fc.constant('set' as const), block, share: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
  fc.record({ kind: fc.constant('cut' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('copy' as const) }),
  fc.record({ kind: fc.constant('first' as const), block, share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('pack' as const), share: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
)

test('a list of blocks and all of its copies are what plain lists would be, whatever happened since', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const list = new BlockList()
      let plain: SealedBlock[] = []
      const copies: [BlockSequence, readonly SealedBlock[]][] = []
      for (const each of changes) {
        if (each.kind === 'push') {
          for (let i = 0; i < each.times; i++) list.push(each.block)
          plain.push(...Array.from({ length: each.times }, () => each.block))
        } else if (each.kind === 'set' && plain.length > 0) {
          const place = Math.floor(each.share * plain.length)
          list.set(place, each.block)
          plain[place] = each.block
        } else if (each.kind === 'cut') {
          const place = Math.floor(each.share * plain.length)
          expect(list.cut(place)).toEqual(plain.slice(place))
          plain = plain.slice(0, place)
        } else if (each.kind === 'pack' && list.length >= CHUNK) {
          const chunk = Math.floor(each.share * Math.floor(list.length / CHUNK))
          const isPacked = list.pack(chunk, (blocks) => {
            expect(blocks).toEqual(plain.slice(CHUNK * chunk, CHUNK * (chunk + 1)))
            return (index) => blocks[index] as SealedBlock
          })
          expect(isPacked).toBe(true)
        } else if (each.kind === 'first') {
          const length = Math.floor(each.share * plain.length)
          const first = list.copy().first(length)
          for (let i = 0; i < 300; i++) first.push(each.block)
          copies.push([first, [...plain.slice(0, length), ...Array.from({ length: 300 }, () => each.block)]])
        } else if (each.kind === 'copy') copies.push([list.copy(), plain.slice()])
      }
      for (const [own, expected] of [...copies, [list, plain] as const]) {
        expect(own.length).toBe(expected.length)
        expect(own.slice()).toEqual(expected)
        expect(own.slice(3, 300)).toEqual(expected.slice(3, 300))
        for (const place of [0, 255, 256, expected.length - 1, expected.length, -1]) {
          expect(own.at(place)).toBe(expected.at(place))
        }
      }
    }),
  )
})
