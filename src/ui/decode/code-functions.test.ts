import { expect, test } from 'vitest'
import { guessContract, selectorsIn } from './code-functions.ts'
import { createSelectorTable } from './selector-table.ts'

/** Code that compares its selector with this one, as each compiler does, and jumps. */
const dispatch: Readonly<Record<string, (selector: string) => string>> = {
  solc: (selector) => `8063${selector}1461002857`,
  'solc before 0.5': (selector) => `63${selector}811461002857`,
  'solc via Yul': (selector) => `8063${selector}141561002857`,
  'solc with a difference': (selector) => `8063${selector}03610028575b`,
  Vyper: (selector) => `63${selector}811861002857`,
  'Vyper before 0.3': (selector) => `63${selector}6000511415610028575b`,
}

test.each(Object.entries(dispatch))('the functions of code by %s are found', (_compiler, write) => {
  expect(selectorsIn(`0x6080604052${write('a9059cbb')}${write('70A08231')}00`)).toEqual(['0xa9059cbb', '0x70a08231'])
})

test('selectors that are called, constants, and code that is cut short are no functions', () => {
  // mstore(0, 0xa9059cbb << 224)
  expect(selectorsIn('0x63a9059cbb60e01b600052')).toEqual([])
  expect(selectorsIn('0x63a9059cbb1460285b')).toEqual([])
  expect(selectorsIn('0x63a9059c')).toEqual([])
  expect(selectorsIn('0x63a9059cbb81')).toEqual([])
  // In the bytes that another instruction pushes.
  expect(selectorsIn(`0x7f${'8063a9059cbb146100285700'.padEnd(64, '0')}`)).toEqual([])
  expect(selectorsIn('0x')).toEqual([])
})

test('a selector that begins with a zero byte is found', () => {
  expect(selectorsIn('0x8062fdd58e1461002857')).toEqual(['0x00fdd58e'])
})

test('a contract is guessed by its functions, the most common interface first; what nobody knows is told', () => {
  const code = ['a9059cbb', 'dd62ed3e', '313ce567', '01e1d114', 'deadbeef'].map((each) => dispatch['solc']?.(each))
  const guess = guessContract(createSelectorTable(), `0x${code.join('')}`)
  expect(guess?.of).toEqual(['ERC-20', 'ERC-4626'])
  expect(guess?.contract.abi.map((item) => 'name' in item && item.name)).toEqual([
    'transfer',
    'allowance',
    'decimals',
    'totalAssets',
  ])
  expect(guess?.unknown).toEqual(['0xdeadbeef'])
  expect(guessContract(createSelectorTable(), '0x6001')).toBeUndefined()
})

test('code that is nothing but functions is read only so far', () => {
  const code = Array.from({ length: 2_000 }, (_, i) => dispatch['solc']?.((0xa0000000 + i).toString(16)))
  expect(selectorsIn(`0x${code.join('')}`)).toHaveLength(1_000)
})
