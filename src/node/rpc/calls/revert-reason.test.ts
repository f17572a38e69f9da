import { encodeErrorResult, hexToBytes, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { decodeRevertReason } from './revert-reason.ts'

const abi = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error Custom(string)'])
const reasonOf = (data: `0x${string}`) => decodeRevertReason(hexToBytes(data))
const error = (text: string) => encodeErrorResult({ abi, errorName: 'Error', args: [text] })
const panic = (code: bigint) => encodeErrorResult({ abi, errorName: 'Panic', args: [code] })

test.each([[''], ['not enough'], ['x'.repeat(300)], ['Größe über 5 €: 🦊']])('the text of Error(%j)', (text) => {
  expect(reasonOf(error(text))).toBe(text)
})

test.each([
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x99n, 'unknown panic code: 0x99'],
])('Panic(%i) is %s', (code, reason) => {
  expect(reasonOf(panic(code))).toBe(reason)
})

test('data that is neither an Error nor a Panic has no reason', () => {
  expect(reasonOf('0x')).toBeUndefined()
  expect(reasonOf('0x08c379')).toBeUndefined()
  expect(reasonOf(encodeErrorResult({ abi, errorName: 'Custom', args: ['x'] }))).toBeUndefined()
})

test('data that points outside itself has no reason', () => {
  expect(reasonOf('0x08c379a0')).toBeUndefined()
  expect(reasonOf(error('hello').slice(0, -64) as `0x${string}`)).toBeUndefined()
  expect(reasonOf(`0x08c379a0${'ff'.repeat(64)}`)).toBeUndefined()
  expect(reasonOf(`0x08c379a0${'20'.padStart(64, '0')}${'ff'.repeat(32)}`)).toBeUndefined()
  expect(reasonOf('0x4e487b7111')).toBeUndefined()
})

test('bytes that are not UTF-8 are replaced', () => {
  const bytes = hexToBytes(error('ab'))
  bytes[4 + 64] = 0xff
  expect(decodeRevertReason(bytes)).toBe('\ufffdb')
})
