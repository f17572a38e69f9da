import { expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { createMnemonic, deriveKeys, seedMnemonic } from './mnemonic.ts'

// What anvil 1.7.1 prints for these seeds.
test.each([
  [1n, 'gesture car maximum regret pudding merry fatal electric sea grab crack social'],
  [2n ** 64n - 1n, 'reunion eager public radio victory silver palm elite make sing accuse moon'],
])('the seed %d has the mnemonic that it has in anvil', async (seed, mnemonic) => {
  expect(await seedMnemonic(seed)).toBe(mnemonic)
})

test('mnemonics from seeds and random ones are valid', async () => {
  for (const mnemonic of [await seedMnemonic(0n), await seedMnemonic(7n), await createMnemonic(12)]) {
    expect(await deriveKeys(mnemonic, 1)).not.toEqual(DEV_KEYS.slice(0, 1))
  }
})
