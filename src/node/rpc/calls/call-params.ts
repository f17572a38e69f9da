import type { Address } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { AccessListItem, Authorization } from '../../tx/transaction.ts'
import { parseAddress, parseBig, parseData, parseHash, parseUint64 } from '../params/hex-params.ts'
import type { Param } from '../params/param.ts'
import { cannotUnmarshal, fieldReader, jsonType } from '../params/param.ts'

/** A call object as sent; members that were left out or `null` are `undefined`. */
export interface CallArgs {
  readonly from: Address | undefined
  readonly to: Address | undefined
  /** Not used by calls, but part of the hash that an error names. */
  readonly nonce: bigint | undefined
  readonly gas: bigint | undefined
  /** Wei per gas. */
  readonly gasPrice: bigint | undefined
  /** Wei per gas. */
  readonly maxFeePerGas: bigint | undefined
  /** Wei per gas. */
  readonly maxPriorityFeePerGas: bigint | undefined
  /** Wei. */
  readonly value: bigint | undefined
  readonly data: Uint8Array | undefined
  readonly input: Uint8Array | undefined
  readonly chainId: bigint | undefined
  readonly accessList: readonly AccessListItem[]
  readonly authorizationList: readonly Authorization[]
  /** Whether it is a transaction with blobs, by a member or by its type. */
  readonly hasBlobs: boolean
}

const BLOB_TYPE = 3n
const BLOB_MEMBERS = ['blobs', 'blobVersionedHashes', 'maxFeePerBlobGas', 'sidecars', 'sidecar']

type Fields = Readonly<Record<string, unknown>>

/** The call object of `eth_call` and `eth_estimateGas`; unknown members are ignored. */
export const callArgs: Param<CallArgs> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type ethapi.TransactionArgs')
    const field = fieldReader(value, 'TransactionArgs')
    return {
      nonce: field('nonce', parseUint64),
      from: field('from', parseAddress),
      to: field('to', parseAddress),
      gas: field('gas', parseUint64),
      gasPrice: field('gasPrice', parseBig),
      maxFeePerGas: field('maxFeePerGas', parseBig),
      maxPriorityFeePerGas: field('maxPriorityFeePerGas', parseBig),
      value: field('value', parseBig),
      data: field('data', parseData),
      input: field('input', parseData),
      chainId: field('chainId', parseBig),
      accessList: field('accessList', listOf(parseAccessListItem)) ?? [],
      authorizationList: field('authorizationList', listOf(parseAuthorization)) ?? [],
      hasBlobs:
        field('type', parseUint64) === BLOB_TYPE ||
        BLOB_MEMBERS.some((name) => (value[name] ?? undefined) !== undefined),
    }
  },
}

function listOf<Item>(parse: (fields: Fields, field: string) => Item) {
  return (value: unknown, field: string): readonly Item[] => {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), `struct field ${field} of type array`)
    return value.map((item: unknown) => {
      if (!isObject(item)) throw cannotUnmarshal(jsonType(item), `struct field ${field} of type object`)
      return parse(item, field)
    })
  }
}

function parseAccessListItem({ address, storageKeys }: Fields, field: string): AccessListItem {
  if (storageKeys !== undefined && storageKeys !== null && !Array.isArray(storageKeys)) {
    throw cannotUnmarshal(jsonType(storageKeys), `struct field ${field}.storageKeys of type []common.Hash`)
  }
  return {
    address: parseAddress(address, `${field}.address`),
    storageKeys: (storageKeys ?? []).map((key: unknown) => parseHash(key, `${field}.storageKeys`)),
  }
}

/** Some libraries write `v` for `yParity`. */
function parseAuthorization(tuple: Fields, field: string): Authorization {
  return {
    chainId: parseBig(tuple['chainId'], `${field}.chainId`),
    address: parseAddress(tuple['address'], `${field}.address`),
    nonce: parseUint64(tuple['nonce'], `${field}.nonce`),
    yParity: parseUint64(tuple['yParity'] ?? tuple['v'], `${field}.yParity`),
    r: parseBig(tuple['r'], `${field}.r`),
    s: parseBig(tuple['s'], `${field}.s`),
  }
}
