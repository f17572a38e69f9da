import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { DEV_ACCOUNTS } from './dev-accounts.ts'

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
    signer = privateKeyToAccount(account.privateKey)
    signers.set(index, signer)
  }
  return signer
}
