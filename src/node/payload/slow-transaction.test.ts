import { expect, test } from 'vitest'
import { describeSlow } from './slow-transaction.ts'

const HASH = `0x${'ab'.repeat(32)}` as const

test('a slow transaction is told with the precompile that took most of its time', () => {
  const precompiles = new Map([
    [0x10, { calls: 3_050, ms: 9_200 }],
    [0x05, { calls: 1, ms: 100 }],
  ])
  expect(describeSlow(HASH, { ranMs: 9_400, precompiles }, 2_000)).toBe(
    `transaction ${HASH} ran for 9.4 s, longer than a block (2.0 s), and everything else waited: 98 % of it in 3050 calls of the precompile BLS12_MAP_FP_TO_G1 (0x10)`,
  )
})

test('if no precompile took half of the time, it is the contracts’ own code', () => {
  const precompiles = new Map([[0x05, { calls: 1, ms: 100 }]])
  expect(describeSlow(HASH, { ranMs: 2_100, precompiles }, 2_000)).toMatch(/: most of it in code of contracts$/)
})
