import { expect, test } from 'vitest'
import { withFunds } from './funded-state.ts'

const ONE = `0x${'ab'.repeat(20)}`
const TWO = `0x${'cd'.repeat(20)}`

test('an account of the state has the balance that it is given, and all else of the file', () => {
  const state = { block: 9, accounts: { [ONE.toUpperCase()]: { nonce: 3, balance: '0x5' }, [TWO]: { balance: '0x7' } } }
  expect(withFunds(state, { [ONE]: '1000', '0x1': '1' })).toEqual({
    block: 9,
    accounts: { [ONE.toUpperCase()]: { nonce: 3, balance: '1000' }, [TWO]: { balance: '0x7' } },
  })
})

test.each([
  {},
  { accounts: [] },
  { accounts: { [ONE]: 7 } },
  { accounts: JSON.parse('{"__proto__":{"balance":"1"}}') as object },
])('a state of another form is left to whoever reads it: %j', (state) => {
  expect(withFunds(state, { [ONE]: '1000' })).toEqual(state)
  expect(withFunds(state, undefined)).toBe(state)
})
