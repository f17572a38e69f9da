import { decodeFunctionResult, encodeFunctionData, parseAbi, toHex } from 'viem'
import { expect, test } from 'vitest'
import { hexToBytes } from '#primitives/hex.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { fastLzLength } from './fastlz.ts'
import { GAS_PRICE_ORACLE } from './predeploys.ts'

/** A call on OP Mainnet, one of op-geth's vectors, as are all here. */
const CALL =
  '0x02f901550a758302df1483be21b88304743f94f80e51afb613d764fa61751affd3313c190a86bb870151bd62fd12adb8e41ef24f3f000000000000000000000000000000000000000000000000000000000000006e000000000000000000000000af88d065e77c8cc2239327c5edb3a432268e5831000000000000000000000000000000000000000000000000000000000003c1e5000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000148c89ed219d02f1a5be012c689b4f5b731827bebe000000000000000000000000c001a033fd89cb37c31b2cba46b6466e040c61fc9b2a3675a7f5f493ebd5ad77c497f8a07cdf65680e238392693019b4092f610222e71b7cec06449cb922b93b6a12744e'

test.each([
  ['nothing', new Uint8Array(0), 0],
  ['a thousand ones', new Uint8Array(1_000).fill(1), 21],
  ['a thousand zeros', new Uint8Array(1_000), 21],
  ['a call', hexToBytes(CALL), 202],
])('the length of %s is that of op-geth', (_what, input, length) => {
  expect(fastLzLength(input)).toBe(length)
})

/** Bytes with repetitions, near and far, by a seed. */
function sample(seed: number, length: number): Uint8Array {
  let state = seed
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; ) {
    const run = 1 + next(next(8) === 0 ? 600 : 40)
    const from = at > 0 && next(2) === 0 ? next(at) : -1
    const value = next(4)
    for (let i = 0; i < run && at < length; i++, at++) {
      bytes[at] = from >= 0 ? (bytes[from + i] as number) : next(2) === 0 ? value : next(256)
    }
  }
  return bytes
}

test('the contract computes the same length for every input', async () => {
  const { request } = await createTestNode({ mode: 'manual', op: true })
  const abi = parseAbi(['function getL1GasUsed(bytes) view returns (uint256)'])
  const lengths = [...Array(24).keys(), 200, 300, 511, 2_000, 9_000, 20_000]
  for (const [seed, length] of lengths.entries()) {
    // Twice, since a table that is used again must not remember.
    const input = sample(seed + 1, length)
    const used = (size: number) => (836_500n * BigInt(size + 68) - 42_585_600n) / 62_500n
    const expected = used(fastLzLength(input))
    expect(used(fastLzLength(input))).toBe(expected)
    const data = encodeFunctionData({ abi, functionName: 'getL1GasUsed', args: [toHex(input)] })
    const answer = await request('eth_call', [{ to: GAS_PRICE_ORACLE, data }, 'pending'])
    const found = decodeFunctionResult({ abi, functionName: 'getL1GasUsed', data: answer })
    expect(found, `${length} bytes`).toBe(expected > 1_600n ? expected : 1_600n)
  }
})
