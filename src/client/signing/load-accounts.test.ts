import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { DEV_KEYS, DEV_MNEMONIC } from '#rpc-types/dev-keys.ts'
import { LOAD_ACCOUNTS } from './load-accounts.ts'

test('the load uses the next accounts of the public mnemonic after the development accounts', () => {
  LOAD_ACCOUNTS.forEach(({ address, privateKey }, i) => {
    const derived = mnemonicToAccount(DEV_MNEMONIC, { addressIndex: DEV_KEYS.length + i })
    expect(address).toBe(derived.address.toLowerCase())
    expect(privateKey).toBe(`0x${Buffer.from(derived.getHdKey().privateKey ?? []).toString('hex')}`)
  })
})
