import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonInSlices } from './json-in-slices.ts'
import { listOfTexts } from './json-texts.ts'

const never = { checkpoint: () => undefined }

test('it is the JSON of JSON.stringify', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 8 }), async (value) => {
      expect(await jsonInSlices(value, never)).toBe(JSON.stringify(value))
    }),
  )
  const absent = { a: undefined, b: [undefined, { c: undefined }], d: Number.NaN, e: {}, f: [] }
  expect(await jsonInSlices(absent, never)).toBe(JSON.stringify(absent))
  expect(await jsonInSlices(undefined, never)).toBe('null')
})

test.each([4_096, 4_097, 10_001])('a list of %i items is whole', async (length) => {
  const list = Array.from({ length }, (_, i) => ({ i }))
  expect(await jsonInSlices({ list: [list] }, never)).toBe(JSON.stringify({ list: [list] }))
})

test('a long text is written in pieces, and reads the same', async () => {
  let looks = 0
  const guard = { checkpoint: () => void looks++ }
  // Pairs of code units and escapes lie over every boundary.
  for (const unit of ['a', '"\\', '\u{1f440}b', '\ud83d'])
    for (const ahead of ['', '1', '12']) {
      const text = ahead + unit.repeat(200_000)
      expect(JSON.parse(await jsonInSlices({ text }, guard))).toEqual({ text })
    }
  expect(looks).toBeGreaterThan(4 * 3 * 3)
})

test.each([0, 1, 64, 65, 1_000])('a list of %i texts is that of the values', async (length) => {
  const items = Array.from({ length }, (_, i) => ({ i, text: 'a,b' }))
  const value = { list: listOfTexts(items.map((item) => JSON.stringify(item))) }
  expect(await jsonInSlices(value, never)).toBe(JSON.stringify({ list: items }))
  expect(JSON.stringify(value)).toBe(JSON.stringify({ list: items }))
})

test('between the steps of a trace, and of each of a block, it looks whether others wait', async () => {
  const steps = Array.from({ length: 50_000 }, (_, pc) => ({ pc, op: 'PUSH1', stack: [] }))
  const traces = Array.from({ length: 3 }, () => ({ txHash: '0x', result: { gas: 1, structLogs: steps } }))
  let looks = 0
  let pauses = 0
  const guard = {
    checkpoint: () => (++looks % 100 === 0 ? Promise.resolve().then(() => void pauses++) : undefined),
  }
  expect(await jsonInSlices(traces, guard)).toBe(JSON.stringify(traces))
  expect(looks).toBeGreaterThan((3 * 50_000) / 64)
  expect(pauses).toBe(Math.floor(looks / 100))
})

test('it ends when its caller has gone', async () => {
  const gone = {
    checkpoint: () => {
      throw new Error('the caller has gone')
    },
  }
  await expect(jsonInSlices([1, 2], gone)).rejects.toThrow('the caller has gone')
})
