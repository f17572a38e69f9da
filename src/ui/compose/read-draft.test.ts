import { parseGwei } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Draft, useDraft } from './draft.ts'
import { type DraftResult, readDraft, readPastedBytes } from './read-draft.ts'

const INITIAL = useDraft.getInitialState()
const draft = (changes: Partial<Draft>): Draft => ({ ...INITIAL, ...changes })

function errorsOf(result: DraftResult) {
  return result.ok ? {} : result.errors
}

describe('the draft that the screen begins with', () => {
  test.each(['transfer', 'call', 'deploy'] as const)('makes sense as a %s', (kind) => {
    expect(errorsOf(readDraft(kind, INITIAL))).toEqual({})
  })

  test('leaves nonce, gas and fees to the page', () => {
    expect(readDraft('transfer', INITIAL)).toMatchObject({
      ok: true,
      composition: {
        data: '0x',
        value: 10n ** 16n,
        nonce: undefined,
        gas: undefined,
        feeCap: undefined,
        tip: undefined,
        copies: 1,
      },
    })
  })
})

test('a chosen nonce, gas limit and fees are used unchanged', () => {
  const read = readDraft(
    'transfer',
    draft({ nonce: ' 7 ', gas: '21000', feeCap: '1.5', tip: '.000000001', copies: '3' }),
  )
  expect(read).toMatchObject({
    ok: true,
    composition: { nonce: 7, gas: 21_000n, feeCap: parseGwei('1.5'), tip: 1n, copies: 3 },
  })
})

test('types with a single gas price have no tip', () => {
  const read = readDraft('transfer', draft({ type: '0', feeCap: '1', tip: 'nonsense' }))
  expect(read).toMatchObject({ ok: true, composition: { type: '0', feeCap: parseGwei('1'), tip: undefined } })
})

test.each<[Partial<Draft>, keyof Draft, RegExp]>([
  [{ to: '0x12' }, 'to', /40 hexadecimal digits/],
  [{ value: 'much' }, 'value', /Not an amount/],
  [{ nonce: '-1' }, 'nonce', /whole number/],
  [{ nonce: '9007199254740992' }, 'nonce', /At most/],
  [{ gas: '1e6' }, 'gas', /whole number/],
  [{ gas: '18446744073709551616' }, 'gas', /At most/],
  [{ feeCap: '1.0000000001' }, 'feeCap', /9 decimals/],
  [{ feeCap: '1', tip: '2' }, 'tip', /fee cap includes the tip/],
  [{ copies: '0' }, 'copies', /1 to 100/],
  [{ copies: '' }, 'copies', /1 to 100/],
  [{ copies: '101' }, 'copies', /At most 100/],
])('%o has its error at the field', (changes, field, message) => {
  const errors = errorsOf(readDraft('transfer', draft(changes)))
  expect(Object.keys(errors)).toEqual([field])
  expect(errors[field as 'to']).toMatch(message)
})

test('every invalid field has its error, not only the first', () => {
  const errors = errorsOf(readDraft('transfer', draft({ to: '', value: '', nonce: 'x' })))
  expect(Object.keys(errors).toSorted()).toEqual(['nonce', 'to', 'value'])
})

test('a call is encoded by its signature, or taken as bytes', () => {
  const by = { contract: INITIAL.to, signature: 'set(uint256)', args: ['5'], data: '0xAB' }
  const encoded = readDraft('call', draft(by))
  expect(encoded).toMatchObject({ ok: true, composition: { data: `0x60fe47b1${'5'.padStart(64, '0')}` } })
  expect(readDraft('call', draft({ ...by, dataBy: 'bytes' }))).toMatchObject({
    ok: true,
    composition: { data: '0xab' },
  })
})

test('an invalid argument has its error at its own field', () => {
  const errors = errorsOf(readDraft('call', draft({ signature: 'f(uint8,bool,address)', args: ['256', 'true'] })))
  expect(errors).toEqual({ args: ['uint8 goes from 0 to 2^8 − 1.', undefined, expect.stringMatching(/address/)] })
})

test('constructor arguments follow the bytecode, which must not be empty', () => {
  const read = readDraft('deploy', draft({ bytecode: '6001', constructorArgs: '0x02 03' }))
  expect(read).toMatchObject({ ok: true, composition: { to: null, data: '0x60010203' } })
  expect(errorsOf(readDraft('deploy', draft({ bytecode: ' ' })))).toEqual({ bytecode: expect.any(String) as unknown })
  expect(errorsOf(readDraft('deploy', draft({ bytecode: '0x6' })))).toEqual({
    bytecode: expect.stringMatching(/bytes/) as unknown,
  })
})

test('pasted bytes may contain white space and lack the prefix', () => {
  expect(readPastedBytes(' 0xAB\n cd ')).toBe('0xabcd')
  expect(readPastedBytes('abcd')).toBe('0xabcd')
  expect(readPastedBytes('')).toBe('0x')
  expect(readPastedBytes('0xabc')).toBeUndefined()
  expect(readPastedBytes('0xzz')).toBeUndefined()
})
