import type { Address } from '#primitives/hex.ts'
import { keccak256Hex } from '../crypto/keccak.ts'
import { signDigest } from '../crypto/signing.ts'
import { encodeTransaction, signingDigest } from './encode.ts'
import { impersonationMark, type Signature, type Transaction, type UnsignedTransaction } from './transaction.ts'

/**
 * Signs a transaction; the result equals decoding its bytes.
 *
 * @param sender - The account of the key.
 * @param privateKey - 32 bytes.
 */
export function signTransaction(tx: UnsignedTransaction, sender: Address, privateKey: Uint8Array): Transaction {
  return withSignature(tx, sender, signDigest(signingDigest(tx), privateKey))
}

/**
 * A transaction of an account without its key. Instead of a signature it has a mark: so its hash is unique, it cannot be
 * sent as a raw transaction, and no signed transaction can have its hash.
 */
export function impersonateTransaction(tx: UnsignedTransaction, sender: Address): Transaction {
  return withSignature(tx, sender, impersonationMark(sender))
}

function withSignature(tx: UnsignedTransaction, sender: Address, signature: Signature): Transaction {
  const raw = encodeTransaction(tx, signature)
  const { yParity, r, s } = signature
  // Properties after a spread would give each transaction its own hidden class: 700 bytes, and slow look-ups.
  return { hash: keccak256Hex(raw), raw, sender, yParity, r, s, ...tx }
}
