import { expect, test } from 'vitest'
import { NonceSeries } from './nonce-series.ts'

/** The series of each nonce, by the order in which they began. */
function seriesOf(nonces: readonly number[]): number[] {
  const series = new NonceSeries()
  return nonces.map((nonce) => series.next(BigInt(nonce)) - 1)
}

test('nonces that follow each other are a series', () => {
  expect(seriesOf([7, 8, 9, 3, 4, 10])).toEqual([0, 0, 0, 1, 1, 0])
})

test('senders who take turns have a series each, one by one or some at a time', () => {
  expect(seriesOf([0, 0, 0, 1, 1, 1, 2, 2, 2])).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2])
  expect(seriesOf([0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5])).toEqual([0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1])
})

test('the same nonce again begins another series', () => {
  expect(seriesOf([5, 5, 6, 6, 7])).toEqual([0, 1, 0, 1, 0])
})

test('of many series those are forgotten that were continued least lately', () => {
  const many = Array.from({ length: 64 }, (_, i) => 10 * i)
  expect(seriesOf([...many, 1, 5, 11, 2])).toEqual([...many.keys(), 0, 64, 65, 0])
})
