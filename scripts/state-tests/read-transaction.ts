import { decodeBlobTransaction, decodeTransaction } from '#node/tx/decode.ts'
import type { BlobTransaction, Transaction } from '#node/tx/transaction.ts'
import { type Address, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import type { FixtureAuthorization, FixtureTransaction } from './fixture.ts'

type Unsigned<Tx> = Tx extends unknown ? Omit<Tx, 'hash' | 'raw' | 'yParity' | 'r' | 's'> : never

/** A transaction without its signature but with its signer. */
export type TestedTransaction = Unsigned<Transaction | BlobTransaction>

const BLOB_TYPE = 3

/**
 * Decodes a signed transaction.
 *
 * @throws {TxRejectedError} If it is invalid.
 */
export function decodeTested(raw: Uint8Array): TestedTransaction {
  return raw[0] === BLOB_TYPE ? decodeBlobTransaction(raw) : decodeTransaction(raw)
}

/**
 * Creates the transaction from a fixture's fields.
 *
 * @returns `undefined` if a field is too large for a transaction.
 */
export function readFields(fields: FixtureTransaction, chainId: bigint): TestedTransaction | undefined {
  const numbers = [fields.value, fields.gasPrice, fields.maxFeePerGas, fields.maxPriorityFeePerGas]
  if (numbers.some((text) => text !== undefined && !isWord(text))) return undefined
  if (BigInt(fields.nonce) >= 1n << 64n || BigInt(fields.gasLimit) >= 1n << 64n) return undefined
  const { gasPrice, accessList, blobVersionedHashes, authorizationList } = fields
  const common = {
    chainId,
    sender: lowerCase(fields.sender),
    nonce: BigInt(fields.nonce),
    gas: BigInt(fields.gasLimit),
    to: fields.to === '' ? null : lowerCase(fields.to),
    value: BigInt(fields.value),
    input: hexToBytes(fields.data),
  }
  const list = (accessList ?? []).map(({ address, storageKeys }) => ({
    address: lowerCase(address),
    storageKeys: storageKeys.map((key) => toWord(BigInt(key))),
  }))
  if (gasPrice !== undefined) {
    const price = { ...common, gasPrice: BigInt(gasPrice) }
    return accessList ? { type: 1, ...price, accessList: list } : { type: 0, ...price }
  }
  const fees = {
    ...common,
    maxFeePerGas: BigInt(fields.maxFeePerGas ?? 0),
    maxPriorityFeePerGas: BigInt(fields.maxPriorityFeePerGas ?? 0),
    accessList: list,
  }
  if (authorizationList) return { type: 4, ...fees, authorizationList: authorizationList.map(readAuthorization) }
  if (!blobVersionedHashes) return { type: 2, ...fees }
  return {
    type: 3,
    ...fees,
    maxFeePerBlobGas: BigInt(fields.maxFeePerBlobGas ?? 0),
    blobHashes: blobVersionedHashes,
  }
}

function readAuthorization({ chainId, address, nonce, v, r, s }: FixtureAuthorization) {
  return {
    chainId: BigInt(chainId),
    address: lowerCase(address),
    nonce: BigInt(nonce),
    yParity: BigInt(v),
    r: BigInt(r),
    s: BigInt(s),
  }
}

/** Fixtures mark numbers that do not fit: `0x:bigint 0x1…`. */
function isWord(text: string): boolean {
  return /^0x[0-9a-f]+$/i.test(text) && BigInt(text) < 1n << 256n
}

function lowerCase(address: Address): Address {
  return address.toLowerCase() as Hex
}
