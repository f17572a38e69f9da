import { expect, test } from 'vitest'
import { accountChanges } from './traces.ts'

const [ALICE, BOB, CAROL] = ['0x0a', '0x0b', '0x0c'] as const

test('a transfer changes two balances and a nonce', () => {
  const pre = { [ALICE]: { balance: '0x64', nonce: 4 }, [BOB]: { balance: '0x1' } } as const
  const post = { [ALICE]: { balance: '0x5a', nonce: 5 }, [BOB]: { balance: '0xb' } } as const
  expect(accountChanges({ pre, post })).toEqual([
    { address: ALICE, balance: { before: 100n, after: 90n }, nonce: { before: 4, after: 5 } },
    { address: BOB, balance: { before: 1n, after: 11n }, nonce: { before: 0, after: 0 } },
  ])
})

test('what is left out afterwards has not changed, and a deleted account has nothing', () => {
  const pre = {
    [ALICE]: { balance: '0x64', nonce: 4 },
    [BOB]: { balance: '0x5' },
    [CAROL]: { balance: '0x9', nonce: 1 },
  } as const
  const post = { [ALICE]: { nonce: 5 }, [BOB]: {} } as const
  expect(accountChanges({ pre, post })).toEqual([
    { address: ALICE, balance: { before: 100n, after: 100n }, nonce: { before: 4, after: 5 } },
    { address: CAROL, balance: { before: 9n, after: 0n }, nonce: { before: 1, after: 0 } },
  ])
})
