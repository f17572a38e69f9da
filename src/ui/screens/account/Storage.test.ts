import { expect, test } from 'vitest'
import { parseSlot } from './Storage.tsx'

test('a slot is a number of at most 256 bits', () => {
  expect(parseSlot(' 7 ')).toEqual({ ok: true, slot: 7n })
  expect(parseSlot(`0x${'F'.repeat(64)}`)).toEqual({ ok: true, slot: 2n ** 256n - 1n })
  expect(parseSlot(`0x1${'0'.repeat(64)}`)).toEqual({ ok: false, problem: 'Slots go from 0 to 2^256 − 1.' })
})

test('anything else is refused with a message', () => {
  for (const text of ['', '-1', '0x', '1.5', 'balance']) expect(parseSlot(text).ok).toBe(false)
})
