import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  describeFate,
  FAULT_NAMES,
  type Fault,
  factsOf,
  formatFate,
  MAX_FAULTS,
  MAX_MOMENT,
  parseFate,
} from './fault.ts'

const fault: fc.Arbitrary<Fault> = fc
  .record({
    kind: fc.constantFrom(...FAULT_NAMES),
    at: fc.integer({ min: 1, max: MAX_MOMENT }),
    first: fc.boolean(),
    chain: fc.option(fc.stringMatching(/^[A-Za-z][\w-]{0,63}$/), { nil: undefined }),
  })
  .map(({ kind, at, first, chain }) => ({
    kind,
    at: first ? factsOf(kind).from : at,
    ...(chain !== undefined && { chain }),
  }))

test('what is written is read as the same fate', () => {
  fc.assert(
    fc.property(fc.array(fault, { maxLength: 20 }), (schedule) => {
      expect(parseFate(formatFate(schedule))).toEqual(schedule)
    }),
  )
})

test('a text that is read is written as it was, but for spaces around faults', () => {
  fc.assert(
    fc.property(
      fc.array(fault, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(',', ' , ', ',\n'),
      (schedule, between) => {
        const text = schedule.map((each) => formatFate([each])).join(between)
        expect(formatFate(parseFate(text))).toBe(formatFate(schedule))
      },
    ),
  )
})

test('any text is a fate or refused with a TypeError', () => {
  const pieces = fc.constantFrom(
    'withdraw',
    'lose',
    '@',
    'send',
    '1',
    '0',
    '-1',
    ':',
    ',',
    ' ',
    'base',
    '\u{1f4a5}',
    '1e3',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((each) => each.join('')),
      ),
      (text) => {
        try {
          expect(parseFate(formatFate(parseFate(text)))).toEqual(parseFate(text))
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
        }
      },
    ),
  )
})

test.each([
  ['withdraw', 'the fault "withdraw" names no moment: write withdraw@2 or refuse@send1'],
  ['explode@2', 'there is no fault "explode", there are withdraw, lose'],
  ['toString@2', 'there is no fault "toString"'],
  ['withdraw@send1', 'no moment that withdraw takes: a tick, withdraw@1 to withdraw@9999'],
  ['withdraw@0', 'no moment that withdraw takes'],
  ['refuse@1', 'no moment that refuse takes: a send, refuse@send1 to refuse@send9999'],
  ['refuse@send0', 'no moment that refuse takes'],
  ['lose@01', 'no moment that lose takes'],
  ['lose@10000', 'no moment that lose takes'],
  ['1base:lose@1', 'names no chain'],
  [':lose@1', 'names no chain'],
  ['lose@1,', 'names no moment'],
])('%j is refused', (text, message) => {
  expect(() => parseFate(text)).toThrow(message)
  expect(() => parseFate(text)).toThrow(TypeError)
})

test('a fate that is too long is refused', () => {
  expect(() => parseFate(Array.from({ length: MAX_FAULTS + 1 }, () => 'lose@1').join())).toThrow(/at most 1000 faults/)
  expect(() => parseFate('x'.repeat(1_000_000))).toThrow(/at most 100000 characters/)
})

test('a fate is told in plain words', () => {
  expect(describeFate(parseFate('withdraw@2,base:refuse@send1,lose@0'))).toBe(
    'After tick 2: the pre-confirmation is withdrawn, and the transaction waits again; ' +
      'at the dapp’s send 1 on base: the node refuses it: the pool is full; ' +
      'before the first tick: the transaction is lost: from the mempool, or with its partial or sealed block.',
  )
  expect(describeFate([])).toBe('Nothing goes wrong.')
})
