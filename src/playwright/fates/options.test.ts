import { expect, test } from 'vitest'
import { faultsPlan, judgeOwn } from './options.ts'

test('every stands for all histories of up to two faults, a text for one fate', () => {
  expect(faultsPlan('every', {})).toMatchObject({ fate: undefined, depth: 2, most: 200, assertions: false })
  expect(faultsPlan('withdraw@2', {})).toMatchObject({ fate: 'withdraw@2' })
  expect(faultsPlan({ depth: 1, rules: { final: false } }, {})).toMatchObject({ depth: 1, rules: { final: false } })
})

test('the environment names one fate for all tests that have faults', () => {
  expect(faultsPlan('every', { BLINKNET_FATE: 'lose@1' }).fate).toBe('lose@1')
  expect(faultsPlan('withdraw@2', { BLINKNET_FATE: '' }).fate).toBe('withdraw@2')
})

test.each([
  ['evry', "faults is 'every', a fate such as 'withdraw@2', or an object of options, not 'evry'"],
  [null, "faults is 'every', a fate such as 'withdraw@2', or an object of options"],
  [{ deep: 2 }, 'faults has no option deep: it has fate, depth'],
  [{ kinds: ['withdraw', 'rewind'] }, 'there is no fault rewind: there are withdraw, lose'],
  [{ rules: { finals: false } }, 'there is no rule finals: there are final, twice'],
  ['rewind@2', 'there is no fault "rewind"'],
  [{ depth: 3 }, 'depth of faults is a whole number from 1 to 2, not 3'],
  [{ most: 0 }, 'most of faults is a whole number from 1 to 10000, not 0'],
  [{ withinMs: Number.NaN }, 'withinMs of faults is a whole number'],
  [{ patienceMs: '6000' }, 'patienceMs of faults is a whole number'],
])('%o is refused in words', (given, words) => {
  expect(() => faultsPlan(given as never, {})).toThrow(words)
})

test('a judge of the test’s own says what is wrong, or nothing', async () => {
  const end = { page: {} as never, chains: {} as never, fate: 'lose@1' }
  const judges = { 'no toast is left': () => 'one is', 'the list is sorted': async () => undefined }
  expect(await judgeOwn(judges, end)).toEqual([{ rule: 'no toast is left', what: 'one is' }])
})
