import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { DEV_KEYS, DEV_MNEMONIC } from './dev-keys.ts'

test('the development keys and addresses are those of the test mnemonic', () => {
  const derived = DEV_KEYS.map((_, addressIndex) => mnemonicToAccount(DEV_MNEMONIC, { addressIndex }))
  expect(DEV_KEYS.map(({ address }) => address)).toEqual(derived.map(({ address }) => address.toLowerCase()))
  const keys = derived.map((account) => Buffer.from(account.getHdKey().privateKey ?? []).toString('hex'))
  expect(DEV_KEYS.map(({ privateKey }) => privateKey)).toEqual(keys.map((key) => `0x${key}`))
})
