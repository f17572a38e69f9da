import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { bloomBits, logsBloom } from '../evm/bloom.ts'
import { LogIndex } from './log-index.ts'

const ADDRESS = `0x${'ab'.repeat(20)}` as const
const bloomOf = (values: readonly number[]) =>
  logsBloom([{ address: ADDRESS, topics: values.map(toWord), data: new Uint8Array() }])
const query = (...positions: readonly (readonly number[])[]) =>
  positions.map((values) => values.map((value) => bloomBits(toWord(value))))

const value = fc.nat(40)
/** Which blocks have logs, and their topics; then up to which block the chain is cut off. */
const history = fc.array(
  fc.record({
    // Some fill sections.
    blocks: fc.array(fc.option(fc.array(value, { minLength: 1, maxLength: 3 })), { maxLength: 100, size: 'max' }),
    kept: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 6 },
)

test('after any history, every block with logs that match is found, and hardly any other', () => {
  fc.assert(
    fc.property(history, value, value, fc.nat(200), fc.nat(200), (rounds, one, other, from, more) => {
      const index = new LogIndex()
      const chain: (readonly number[] | null)[] = []
      for (const { blocks, kept } of rounds) {
        for (const topics of blocks) {
          if (topics) index.add(chain.length, bloomOf(topics))
          chain.push(topics)
        }
        chain.length = Math.floor(kept * chain.length)
        index.truncate(chain.length)
      }
      const places = (wanted: (topics: readonly number[]) => boolean) =>
        [...chain.keys()].filter((place) => place >= from && place <= from + more && wanted(chain[place] ?? []))
      const find = (...positions: readonly (readonly number[])[]) => index.find(from, from + more, query(...positions))
      expect(find()).toEqual(places((topics) => topics.length > 0))
      expect(find([one])).toEqual(expect.arrayContaining(places((topics) => topics.includes(one))))
      expect(find([one, other])).toEqual(
        expect.arrayContaining(places((topics) => topics.includes(one) || topics.includes(other))),
      )
      const both = places((topics) => topics.includes(one) && topics.includes(other))
      expect(find([one], [other])).toEqual(expect.arrayContaining(both))
      expect(find([one], [other]).length).toBeLessThanOrEqual(both.length + 1)
    }),
  )
})

test('a list of very many values is left to who reads the blocks', () => {
  const index = new LogIndex()
  index.add(3, bloomOf([1]))
  const many = Array.from({ length: 1_000 }, (_, i) => 100 + i)
  expect(index.find(0, 10, query([2]))).toEqual([])
  expect(index.find(0, 10, query(many))).toEqual([3])
  expect(index.find(0, 10, query(many, [2]))).toEqual([])
})

test('blocks with any number of logs are found by all that they logged, and a few of others', () => {
  const index = new LogIndex()
  // From one log a block to so many that all bits of its bloom are set.
  const counts = Array.from({ length: 640 }, (_, place) => Math.floor(1.01 ** place))
  const topicOf = (place: number, i: number) => 1_000 * place + i
  for (const [place, count] of counts.entries()) {
    index.add(place, bloomOf(Array.from({ length: count }, (_, i) => topicOf(place, i))))
  }
  for (const length of [640, 611, 100, 33]) {
    index.truncate(length)
    for (const [place, count] of counts.slice(0, length).entries()) {
      for (const i of [0, count - 1]) expect(index.find(0, 639, query([topicOf(place, i)]))).toContain(place)
    }
    const found = index.find(0, 400, query([999_999_999]))
    expect(found.filter((place) => place < 300)).toEqual([])
    expect(index.find(0, 639, query([]))).toEqual([])
    expect(index.find(5, 639, [])).toHaveLength(length - 5)
  }
})
