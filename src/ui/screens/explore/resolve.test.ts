import { type Abi, encodeEventTopics, pad, parseAbi, toEventSelector, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import { type Names, resolveAddress, resolveArgument, resolveEvent, resolveMethod, resolveRange } from './resolve.ts'

const ALICE: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const NAMES: Names = [['Account 0', ALICE]]
const COUNTER = parseAbi(['function increment(uint256 by)', 'event Raised(address indexed by, int256 to)']) as Abi

test('an account is found by its address in either case, and by its name', () => {
  expect(resolveAddress('', NAMES)).toBeUndefined()
  expect(resolveAddress(' account 0 ', NAMES)).toEqual({ value: ALICE })
  expect(resolveAddress(ALICE.toUpperCase().replace('0X', '0x'), NAMES)).toEqual({ value: ALICE })
  expect(resolveAddress('Account 9', NAMES)).toHaveProperty('problem')
  expect(resolveAddress('0x12', NAMES)).toEqual({ problem: 'An address has 40 hexadecimal digits after 0x.' })
})

test('a method is found by name, signature and selector, and a transfer of ETH with those of tokens', () => {
  const selector = toFunctionSelector('increment(uint256)')
  for (const text of ['increment', 'Increment', 'increment(uint256)', 'increment( uint256 )', selector]) {
    expect(resolveMethod(text, [COUNTER]), text).toEqual({ value: { selectors: [selector] } })
  }
  expect(resolveMethod('increment', [])).toHaveProperty('problem')
  expect(resolveMethod('Deploy', [])).toEqual({ value: { creates: true } })
  const transfers = resolveMethod('transfer', [])
  expect(transfers).toEqual({ value: { selectors: ['0x', toFunctionSelector('transfer(address,uint256)')] } })
  expect(resolveMethod('safeTransferFrom', [])).toMatchObject({
    value: {
      selectors: expect.arrayContaining([
        toFunctionSelector('safeTransferFrom(address,address,uint256)'),
        toFunctionSelector('safeTransferFrom(address,address,uint256,bytes)'),
      ]) as unknown,
    },
  })
})

test('an event is found by name, signature and topic', () => {
  const topic = toEventSelector('Raised(address,int256)')
  for (const text of ['raised', 'Raised(address,int256)', topic]) {
    expect(resolveEvent(text, [COUNTER]), text).toEqual({ value: [topic] })
  }
  expect(resolveEvent('Raised', [])).toHaveProperty('problem')
  expect(resolveEvent('Transfer', [])).toEqual({ value: [toEventSelector('Transfer(address,address,uint256)')] })
})

test('an argument becomes the word that logs have of it', () => {
  const [, word] = encodeEventTopics({ abi: COUNTER, eventName: 'Raised', args: { by: ALICE } })
  for (const text of [ALICE, 'account 0', pad(ALICE)]) expect(resolveArgument(text, NAMES)).toEqual({ value: word })
  expect(resolveArgument('1,000', NAMES)).toEqual({ value: pad('0x3e8') })
  expect(resolveArgument('0x3e8', NAMES)).toEqual({ value: pad('0x3e8') })
  expect(resolveArgument('true', NAMES)).toEqual({ value: pad('0x1') })
  expect(resolveArgument('-1', NAMES)).toEqual({ value: `0x${'ff'.repeat(32)}` })
  expect(resolveArgument(String(2n ** 256n), NAMES)).toHaveProperty('problem')
  expect(resolveArgument('somebody', NAMES)).toHaveProperty('problem')
})

test('blocks are a number, or from one to another with either end open', () => {
  expect(resolveRange('  ')).toBeUndefined()
  expect(resolveRange('#10')).toEqual({ value: { from: 10, to: 10 } })
  expect(resolveRange('1,000 – 2,000')).toEqual({ value: { from: 1_000, to: 2_000 } })
  expect(resolveRange('10-')).toEqual({ value: { from: 10, to: undefined } })
  expect(resolveRange('-20')).toEqual({ value: { from: undefined, to: 20 } })
  for (const text of ['20-10', '-', 'ten', '1-2-3']) expect(resolveRange(text), text).toHaveProperty('problem')
})
