import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { DEV_KEYS, DEV_MNEMONIC } from './dev-keys.ts'
import { NEXT_DEV_KEYS } from './next-dev-keys.ts'

test('the next keys are those of the public mnemonic after the development accounts', () => {
  expect(NEXT_DEV_KEYS).toHaveLength(10)
  NEXT_DEV_KEYS.forEach(({ address, privateKey }, i) => {
    const derived = mnemonicToAccount(DEV_MNEMONIC, { addressIndex: DEV_KEYS.length + i })
    expect(address).toBe(derived.address.toLowerCase())
    expect(privateKey).toBe(`0x${Buffer.from(derived.getHdKey().privateKey ?? []).toString('hex')}`)
  })
})
