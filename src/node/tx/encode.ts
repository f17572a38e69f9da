import { RLP } from '@ethereumjs/rlp'
import { bigIntToBytes, concatBytes, EMPTY_BYTES } from '#primitives/bytes.ts'
import { type Address, hexToBytes } from '#primitives/hex.ts'
import { legacyDigest, typedDigest } from './signing-digest.ts'
import type { AccessListItem, Authorization, Signature, UnsignedTransaction } from './transaction.ts'

/** A value that RLP encodes. */
type Item = Uint8Array | readonly Item[]

/**
 * Encodes a signed transaction: EIP-2718 envelope, or plain RLP for a legacy transaction.
 *
 * @param signature - `undefined` for an unsigned one: all its fields are 0, as in geth.
 */
export function encodeTransaction(tx: UnsignedTransaction, signature: Signature | undefined): Uint8Array {
  const tail = signature
    ? [bigIntToBytes(signatureV(tx, signature)), bigIntToBytes(signature.r), bigIntToBytes(signature.s)]
    : [EMPTY_BYTES, EMPTY_BYTES, EMPTY_BYTES]
  const list = encodeRlp([...fieldsOf(tx), ...tail])
  return tx.type === 0 ? list : concatBytes(Uint8Array.of(tx.type), list)
}

/** Signing hash: the 32 bytes that the sender signs. */
export function signingDigest(tx: UnsignedTransaction): Uint8Array {
  const fields = concatBytes(...fieldsOf(tx).map(encodeRlp))
  return tx.type === 0 ? legacyDigest(fields, tx.chainId) : typedDigest(tx.type, fields)
}

/** `v` of a transaction: the parity of `y`, for a legacy one 27 or 28 or, with the chain id in it, that of EIP-155. */
export function signatureV(
  { type, chainId }: Pick<UnsignedTransaction, 'type' | 'chainId'>,
  { yParity }: Pick<Signature, 'yParity'>,
): bigint {
  if (type !== 0) return BigInt(yParity)
  return chainId === null ? 27n + BigInt(yParity) : chainId * 2n + 35n + BigInt(yParity)
}

function fieldsOf(tx: UnsignedTransaction): readonly Item[] {
  const target = [addressItem(tx.to), bigIntToBytes(tx.value), tx.input]
  const nonce = bigIntToBytes(tx.nonce)
  const gas = bigIntToBytes(tx.gas)
  if (tx.type === 0) return [nonce, bigIntToBytes(tx.gasPrice), gas, ...target]
  const head = [bigIntToBytes(tx.chainId), nonce]
  const accessList = tx.accessList.map(accessListItem)
  if (tx.type === 1) return [...head, bigIntToBytes(tx.gasPrice), gas, ...target, accessList]
  const fees = [bigIntToBytes(tx.maxPriorityFeePerGas), bigIntToBytes(tx.maxFeePerGas)]
  if (tx.type === 2) return [...head, ...fees, gas, ...target, accessList]
  return [...head, ...fees, gas, ...target, accessList, tx.authorizationList.map(authorizationItem)]
}

function addressItem(address: Address | null): Uint8Array {
  return address === null ? EMPTY_BYTES : hexToBytes(address)
}

function accessListItem({ address, storageKeys }: AccessListItem): Item {
  return [hexToBytes(address), storageKeys.map(hexToBytes)]
}

function authorizationItem({ chainId, address, nonce, yParity, r, s }: Authorization): Item {
  return [
    bigIntToBytes(chainId),
    hexToBytes(address),
    bigIntToBytes(nonce),
    bigIntToBytes(yParity),
    bigIntToBytes(r),
    bigIntToBytes(s),
  ]
}

/** The library does not change it, although its types do not say so. */
function encodeRlp(item: Item): Uint8Array {
  return RLP.encode(item as Parameters<typeof RLP.encode>[0])
}
