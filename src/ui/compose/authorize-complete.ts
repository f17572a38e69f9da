import type { TransactionSerializable } from 'viem'
import { devSigner } from '#client/signing/dev-signer.ts'
import { type CompleteTransaction, toViem } from './complete.ts'

/** A transaction in the form that viem signs, with its authorization, which is signed here. */
export async function authorizeComplete(tx: CompleteTransaction): Promise<TransactionSerializable> {
  const { delegation } = tx
  if (!delegation) return toViem(tx)
  const { authority, code, nonce } = delegation
  const authorization = await devSigner(authority).signAuthorization({ address: code, chainId: tx.chainId, nonce })
  return {
    type: 'eip7702',
    chainId: tx.chainId,
    nonce: tx.nonce,
    gas: tx.gas,
    ...(tx.to && { to: tx.to }),
    value: tx.value,
    data: tx.data,
    maxFeePerGas: tx.feeCap,
    maxPriorityFeePerGas: tx.tip,
    authorizationList: [authorization],
  }
}
