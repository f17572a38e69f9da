import { expect, test } from 'vitest'
import { ROOM_MARKS } from '#rpc-types/methods/room.ts'
import { marksOf } from './guest-marks.ts'

const ADA = { address: '0xAB', mark: 3 } as const
const BOB = { address: '0xcd', mark: 4 } as const

test('marks are found by the address as the chain writes it', () => {
  expect(marksOf([ADA], undefined).get('0xab')).toBe(3)
})

test('a hostile room that goes on counting has no more marks than others', () => {
  const guests = Array.from({ length: 1_000 }, (_, i) => ({ address: `0x${i}`, mark: 2 ** 40 + i }) as const)
  expect(new Set(marksOf(guests, undefined).values()).size).toBe(ROOM_MARKS)
})

test('nothing is drawn again while no mark has changed', () => {
  const before = marksOf([ADA, BOB], undefined)
  expect(marksOf([BOB, ADA], before)).toBe(before)
  expect(marksOf([ADA], before)).not.toBe(before)
  expect(marksOf([ADA, { ...BOB, mark: 5 }], before)).not.toBe(before)
})
