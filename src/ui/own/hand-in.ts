import type { PrivateKeyAccount, TransactionSerializable } from 'viem'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { type Address, type Hash, type Quantity, toQuantity } from '#primitives/hex.ts'
import type { RpcCall } from '#rpc-types/objects.ts'
import { impersonate } from './impersonate.ts'
import { type OwnTransaction, rememberOwn } from './own-transactions.ts'
import { submitRaw } from './submit-raw.ts'

/** An account without a key here; the chain is asked to send for it. */
export interface ImpersonatedAccount {
  readonly source: 'impersonated'
  readonly address: Address
}

/** Whose transactions the page hands in: those of a key, or of any other account. */
export type SendingAccount = PrivateKeyAccount | ImpersonatedAccount

/**
 * Hands in a transaction: signed in the page, or, for an account without a key, as one that the chain itself sends. The
 * page then treats it as its own.
 *
 * @throws {ExplainedError} If the chain does not impersonate accounts.
 * @throws {ProviderRpcError} If the node refuses it otherwise.
 */
export async function handIn(
  provider: BlinknetProvider,
  sender: SendingAccount,
  tx: TransactionSerializable,
  told: Omit<OwnTransaction, 'hash'>,
): Promise<Hash> {
  if (sender.source !== 'impersonated') return submitRaw(provider, await sender.signTransaction(tx), told)
  await impersonate(provider, sender.address)
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [unsignedCall(sender.address, tx)] })
  rememberOwn({ hash, ...told })
  return hash
}

/** EIP-2718 types by viem's names. */
const TYPES: Readonly<Record<string, Quantity>> = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2', eip7702: '0x4' }

/** A complete transaction as the object that `eth_sendTransaction` takes. */
function unsignedCall(from: Address, tx: TransactionSerializable): RpcCall {
  const { to, gas, value, nonce, data, chainId, type } = tx
  const amount = <Name extends string>(name: Name, wei: bigint | number | undefined) =>
    (wei === undefined ? {} : { [name]: toQuantity(wei) }) as { [_ in Name]?: Quantity }
  return {
    from,
    ...(type && Object.hasOwn(TYPES, type) && { type: TYPES[type] }),
    ...(to && { to }),
    ...(data && { input: data }),
    ...amount('gas', gas),
    ...amount('value', value),
    ...amount('nonce', nonce),
    ...amount('chainId', chainId),
    ...amount('gasPrice', tx.gasPrice),
    ...amount('maxFeePerGas', tx.maxFeePerGas),
    ...amount('maxPriorityFeePerGas', tx.maxPriorityFeePerGas),
    ...(tx.accessList && { accessList: tx.accessList }),
    ...(tx.authorizationList && {
      authorizationList: tx.authorizationList.map(({ address, chainId: chain, nonce: at, r, s, yParity }) => ({
        address,
        chainId: toQuantity(chain),
        nonce: toQuantity(at),
        r: toQuantity(BigInt(r)),
        s: toQuantity(BigInt(s)),
        yParity: toQuantity(yParity ?? 0),
      })),
    }),
  }
}
