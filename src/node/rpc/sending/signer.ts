import { bigIntToBytes, concatBytes, padLeft } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hex } from '#primitives/hex.ts'
import { impersonatedSignature } from '../../crypto/impersonated-signature.ts'
import { signDigest } from '../../crypto/signing.ts'
import { impersonateTransaction, signTransaction } from '../../tx/sign.ts'
import type { Transaction, UnsignedTransaction } from '../../tx/transaction.ts'
import type { NodeContext } from '../context.ts'
import { RpcRefusedError } from '../errors.ts'

/** Signs transactions of one account. */
export type TransactionSigner = (tx: UnsignedTransaction) => Transaction

type SigningContext = Pick<NodeContext, 'spec' | 'impersonated'>

/** The development accounts whose keys the node has. */
export function signingAccounts({ spec }: Pick<NodeContext, 'spec'>): readonly Address[] {
  return spec.accounts.filter(({ privateKey }) => privateKey !== undefined).map(({ address }) => address)
}

/** The accounts that the node sends for: those whose keys it has, then those that were impersonated by name. */
export function sendingAccounts(context: Pick<NodeContext, 'spec' | 'impersonated'>): readonly Address[] {
  return [...new Set([...signingAccounts(context), ...context.impersonated.all()])]
}

/**
 * Signs with a development account's key, or, on a chain that accepts it, for an impersonated account.
 *
 * @param digest - 32 bytes.
 * @returns 65 bytes: r ‖ s ‖ v, where v is 27 or 28.
 * @throws {RpcRefusedError} `server`, if the node does not have the key.
 */
export function signAs(context: SigningContext, account: Address, digest: Uint8Array): Hex {
  requireSigner(context, account)
  const key = keyOf(context, account)
  const { r, s, yParity } = key ? signDigest(digest, key) : impersonatedSignature(account, digest)
  return bytesToHex(concatBytes(wordBytes(r), wordBytes(s), Uint8Array.of(27 + yParity)))
}

const wordBytes = (value: bigint): Uint8Array => padLeft(bigIntToBytes(value), 32)

/** @throws {RpcRefusedError} `server`, if the node does not sign messages for the account. */
export function requireSigner(context: SigningContext, account: Address): void {
  if (keyOf(context, account)) return
  if (!context.impersonated.has(account)) refuse()
  if (context.spec.impersonatedSignatures) return
  const advice = 'start the node with --impersonated-signatures to sign for it'
  throw new RpcRefusedError('server', `unknown account: ${account} is impersonated, without a key; ${advice}`)
}

/**
 * Signs transactions of a development account.
 *
 * @throws {RpcRefusedError} `server`, if the node does not have its key.
 */
export function keySigner(context: Pick<NodeContext, 'spec'>, account: Address | undefined): TransactionSigner {
  const sender = account ?? refuse()
  const key = keyOf(context, sender) ?? refuse()
  return (tx) => signTransaction(tx, sender, key)
}

/**
 * Signs for a development account, or creates transactions of an impersonated one.
 *
 * @throws {RpcRefusedError} `server`, if the account is neither.
 */
export function senderSigner(
  context: Pick<NodeContext, 'spec' | 'impersonated'>,
  account: Address | undefined,
): TransactionSigner {
  if (account !== undefined && !keyOf(context, account) && context.impersonated.has(account)) {
    return (tx) => impersonateTransaction(tx, account)
  }
  return keySigner(context, account)
}

/** Whether the node sends transactions for the account. */
export function sendsFor(context: Pick<NodeContext, 'spec' | 'impersonated'>, account: Address): boolean {
  return keyOf(context, account) !== undefined || context.impersonated.has(account)
}

/** The key of a development account, 32 bytes, if the node has it. */
export function keyOf({ spec }: Pick<NodeContext, 'spec'>, account: Address): Uint8Array | undefined {
  return spec.accounts.find(({ address }) => address === account)?.privateKey
}

function refuse(): never {
  throw new RpcRefusedError('server', 'unknown account')
}
