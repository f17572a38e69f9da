import { expect, test } from 'vitest'
import { momentMs, momentSeconds } from './unix-time.ts'

test('a moment in seconds or in milliseconds is the same moment', () => {
  expect(momentSeconds(1_735_689_600)).toBe(1_735_689_600)
  expect(momentSeconds(1_735_689_600_999)).toBe(1_735_689_600)
  expect(momentMs(1_735_689_600_999)).toBe(1_735_689_600_999)
  expect(momentMs(0)).toBe(0)
})

test('the largest number of 40 bits is still seconds, as contracts keep them', () => {
  expect(momentSeconds(2 ** 40 - 1)).toBe(2 ** 40 - 1)
  expect(momentSeconds(2 ** 40 + 1)).toBe(Math.floor((2 ** 40 + 1) / 1000))
})
