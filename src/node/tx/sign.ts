import type { Address } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { signDigest } from '../crypto/signing.ts'
import { encodeTransaction, signingDigest } from './encode.ts'
import type { Signature, Transaction, UnsignedTransaction } from './transaction.ts'

/**
 * Signs a transaction: what decoding its bytes would give.
 *
 * @param sender - The account that the key belongs to.
 * @param privateKey - 32 bytes.
 */
export function signTransaction(tx: UnsignedTransaction, sender: Address, privateKey: Uint8Array): Transaction {
  return withSignature(tx, sender, signDigest(signingDigest(tx), privateKey))
}

/**
 * A transaction of an account whose key nobody has to know. In place of a signature it carries the sender as `r` and 0
 * as `s`: so the hash is its own, and neither can it be sent as a raw transaction nor can one be signed that has its hash.
 */
export function impersonateTransaction(tx: UnsignedTransaction, sender: Address): Transaction {
  return withSignature(tx, sender, { yParity: 0, r: BigInt(sender), s: 0n })
}

function withSignature(tx: UnsignedTransaction, sender: Address, signature: Signature): Transaction {
  const raw = encodeTransaction(tx, signature)
  const { yParity, r, s } = signature
  // What stands behind a spread would give each transaction a hidden class of its own: 700 bytes, and slow look-ups.
  return { hash: keccak256Hex(raw), raw, sender, yParity, r, s, ...tx }
}
