import { expect, test } from 'vitest'
import { concatBytes } from '#primitives/bytes.ts'
import { countingGuard } from '#testing/node/evm/counting-guard.ts'
import { BLS12_381_POINTS as BLS, BN254_POINTS as BN, cancellingPairs, ORDERS } from '#testing/node/evm/points.ts'
import { runPaced, word } from '#testing/node/evm/precompiles.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'

const ONE = word(1)

const long = [
  { name: 'pairings on BN254', address: 8, data: cancellingPairs(BN, ORDERS.bn254, 6), pauses: 7 },
  { name: 'pairings on BLS12-381', address: 15, data: cancellingPairs(BLS, ORDERS.bls, 4), pauses: 5 },
  { name: 'multiples in G1', address: 12, data: concatBytes(BLS.g1(2n), ONE, BLS.g1(3n), ONE), pauses: 2 },
  { name: 'multiples in G2', address: 14, data: concatBytes(BLS.g2(2n), ONE, BLS.g2(3n), ONE), pauses: 2 },
  {
    name: 'BLAKE2F',
    address: 9,
    data: concatBytes(word(900_000).subarray(28), new Uint8Array(209)),
    pauses: 12,
  },
  {
    name: 'MODEXP',
    address: 5,
    data: concatBytes(word(500), word(40), word(500), new Uint8Array(1_040).fill(255)),
    pauses: 3,
  },
  { name: 'SHA-256', address: 2, data: new Uint8Array(1_000_000), pauses: 7 },
  { name: 'RIPEMD-160', address: 3, data: new Uint8Array(1_000_000), pauses: 7 },
]

test.each(long)('$name: yields to others', async ({ address, data, pauses }) => {
  const { guard, looks } = countingGuard()
  await runPaced(address, data, { guard })
  expect(looks()).toBeGreaterThan(pauses)
})

test.each(long)('$name: is aborted when its time is up', async ({ address, data, pauses }) => {
  let looks = 0
  const guard: ExecutionGuard = {
    checkpoint() {
      if (++looks === pauses) throw new RangeError('time is up')
      return undefined
    },
  }
  await expect(runPaced(address, data, { guard })).rejects.toThrow('time is up')
  expect(looks).toBe(pauses)
  // No deferred work is left.
  const after = await runPaced(4, ONE)
  expect(after.output).toEqual(ONE)
})
