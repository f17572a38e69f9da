import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Address } from '#primitives/hex.ts'
import type { DevKey } from '#rpc-types/dev-keys.ts'
import type { RpcAuthorization } from '#rpc-types/objects.ts'
import { DEV_ACCOUNTS } from './dev-accounts.ts'

/** The viem account that signs for a test key. */
export function signerFor({ privateKey }: Pick<DevKey, 'privateKey'>): PrivateKeyAccount {
  return privateKeyToAccount(privateKey)
}

/**
 * The development account that signed an authorization; `undefined` if none did. Signatures are deterministic, so each
 * account's is made again and compared; recovering the signer would take a library that the page does not otherwise
 * need.
 */
export async function authorityOf({ address, chainId, nonce, r }: RpcAuthorization): Promise<Address | undefined> {
  const request = { address, chainId: Number(chainId), nonce: Number(nonce) }
  for (const account of DEV_ACCOUNTS) {
    const signed = await devSigner(account.index).signAuthorization(request)
    if (BigInt(signed.r) === BigInt(r)) return account.address
  }
  return undefined
}

const signers = new Map<number, PrivateKeyAccount>()

/**
 * The viem account of a development account. Created once, since deriving its public key takes a while.
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
