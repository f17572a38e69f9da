import { type AbiFunction, encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { indexOf } from './abi-index.ts'
import { KNOWN_SELECTORS, methodName } from './method-name.ts'
import { selectorOf, signatureOf } from './signature.ts'
import { STANDARDS } from './standards.ts'

const TO = '0x0a'
const BOB = `0x${'0b'.repeat(20)}` as const

test('the short list of selectors has all state-changing functions of the standards, and no others', () => {
  const functions = STANDARDS.flatMap(({ abi }) => abi.filter((item): item is AbiFunction => item.type === 'function'))
  const writes = functions.filter(({ stateMutability }) => stateMutability !== 'view' && stateMutability !== 'pure')
  expect(new Map(writes.map((item) => [selectorOf(signatureOf(item)), item.name]))).toEqual(KNOWN_SELECTORS)
})

test('a function has its name from the ABI of its contract or from a standard; otherwise its selector is shown', () => {
  const abi = parseAbi(['function increment(uint256 by)'])
  const increment = encodeFunctionData({ abi, args: [1n] })
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [BOB, 1n] })
  const { functions } = indexOf(abi)
  expect(methodName({ to: TO, input: increment }, functions)).toBe('increment')
  expect(methodName({ to: TO, input: transfer }, functions)).toBe('transfer')
  expect(methodName({ to: TO, input: transfer }, undefined)).toBe('transfer')
  expect(methodName({ to: TO, input: increment }, undefined)).toBe(increment.slice(0, 10))
})

test('a transaction without a function call is described in one word', () => {
  expect(methodName({ to: null, input: '0xa9059cbb' }, undefined)).toBe('Deploy')
  expect(methodName({ to: TO, input: '0x' }, undefined)).toBe('Transfer')
  expect(methodName({ to: TO, input: '0xa905' }, undefined)).toBe('Call')
})
