import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { DEV_MNEMONIC } from '#rpc-types/dev-keys.ts'
import { DEV_ACCOUNTS, findDevAccount } from './dev-accounts.ts'
import { devSigner } from './dev-signer.ts'

test('the ten accounts are those of the public mnemonic', () => {
  expect(DEV_ACCOUNTS).toHaveLength(10)
  for (const { index, address, privateKey } of DEV_ACCOUNTS) {
    const derived = mnemonicToAccount(DEV_MNEMONIC, { addressIndex: index })
    expect(address).toBe(derived.address.toLowerCase())
    const key = derived.getHdKey().privateKey
    expect(privateKey).toBe(`0x${Buffer.from(key ?? []).toString('hex')}`)
    expect(devSigner(index).address).toBe(derived.address)
  }
})

test('an account is found by its address in either case', () => {
  expect(findDevAccount('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')?.name).toBe('Account 0')
  expect(findDevAccount('0x0000000000000000000000000000000000000000')).toBeUndefined()
})
