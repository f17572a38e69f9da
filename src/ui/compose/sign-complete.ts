import type { PrivateKeyAccount } from 'viem'
import { devSigner } from '#client/signing/dev-signer.ts'
import type { Hex } from '#primitives/hex.ts'
import { type CompleteTransaction, toViem } from './complete.ts'

/** Signs a transaction and, before that, its authorization. */
export async function signComplete(sender: PrivateKeyAccount, tx: CompleteTransaction): Promise<Hex> {
  const { delegation } = tx
  if (!delegation) return sender.signTransaction(toViem(tx))
  const { authority, code, nonce } = delegation
  const authorization = await devSigner(authority).signAuthorization({ address: code, chainId: tx.chainId, nonce })
  return sender.signTransaction({
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
  })
}
