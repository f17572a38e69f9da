import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { DevKey } from '#rpc-types/dev-keys.ts'
import { DEV_ACCOUNTS } from './dev-accounts.ts'

/** The viem account that signs for any public test key. */
export function signerFor({ privateKey }: DevKey): PrivateKeyAccount {
  return privateKeyToAccount(privateKey)
}

const signers = new Map<number, PrivateKeyAccount>()

/**
 * The viem account that signs for a development account; made once, since deriving its public key takes a while.
 *
 * @throws {RangeError} If there is no such account.
 */
export function devSigner(index: number): PrivateKeyAccount {
  let signer = signers.get(index)
  if (!signer) {
    const account = DEV_ACCOUNTS[index]
    if (!account) throw new RangeError(`there is no development account ${index}`)
    signer = signerFor(account)
    signers.set(index, signer)
  }
  return signer
}
