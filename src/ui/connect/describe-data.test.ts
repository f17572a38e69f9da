import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { describeData } from './describe-data.ts'

const TOKEN = `0x${'70'.repeat(20)}` as const
const ALICE = `0x${'a1'.repeat(20)}` as const
const BOB = `0x${'b0'.repeat(20)}` as const

test('calls that move tokens are described in words', () => {
  const encoded = (functionName: 'transfer' | 'approve', amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName, args: [BOB, amount] })
  expect(describeData(TOKEN, encoded('transfer', 1_000_000n))).toBe('Token transfer: 1,000,000 units to 0xb0b0…b0b0')
  expect(describeData(TOKEN, encoded('approve', maxUint256))).toBe(
    'Token approval: 0xb0b0…b0b0 may take an unlimited amount',
  )
  const from = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [ALICE, BOB, 5n] })
  expect(describeData(TOKEN, from)).toBe('Token transfer: 5 units from 0xa1a1…a1a1 to 0xb0b0…b0b0')
})

test('an unknown call is described as such', () => {
  expect(describeData(TOKEN, '0x')).toBeUndefined()
  expect(describeData(TOKEN, '0x12345678')).toBe('Calls the function with the selector 0x12345678')
  expect(describeData(TOKEN, '0x12')).toBe('Sends data to the contract')
  // A known selector with other parameters is a different function.
  expect(describeData(TOKEN, '0xa9059cbb00')).toBe('Calls the function with the selector 0xa9059cbb')
  expect(describeData(null, '0x6000')).toBe('Deploys a contract: 2 bytes of code, including the constructor')
})
