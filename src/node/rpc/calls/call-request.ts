import { EMPTY_BYTES, equalBytes } from '#primitives/bytes.ts'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import { checksumAddress } from '../../crypto/checksum-address.ts'
import { keccak256Hex } from '../../crypto/keccak.ts'
import type { CallRequest } from '../../evm/calls/call.ts'
import { encodeTransaction } from '../../tx/encode.ts'
import type { UnsignedTransaction } from '../../tx/transaction.ts'
import { RpcRefusedError } from '../errors.ts'
import type { CallArgs } from './call-params.ts'

/** The sender of calls that do not name one. */
const ZERO_ADDRESS = toWord(0).slice(0, 42) as `0x${string}`

/** The chain and block of a call. */
export interface CallTarget {
  readonly chainId: number
  /** Wei per gas. */
  readonly baseFee: bigint
}

/**
 * Turns a call object into a call; missing members get the values that geth uses.
 *
 * @throws {RpcRefusedError} `server`, if it contradicts itself, is for another chain, has blobs or names two kinds of prices.
 */
export function toCallRequest(args: CallArgs, { chainId, baseFee }: CallTarget): CallRequest {
  if (args.chainId !== undefined && args.chainId !== BigInt(chainId)) {
    refuse(`chainId does not match node's (have=${args.chainId}, want=${chainId})`)
  }
  if (args.hasBlobs) refuse('blob transactions not supported')
  const from = args.from ?? ZERO_ADDRESS
  return {
    from,
    to: args.to ?? null,
    gas: args.gas,
    ...priceOf(args, from, baseFee),
    value: args.value ?? 0n,
    input: inputOf(args),
    accessList: args.accessList,
    authorizationList: args.authorizationList,
  }
}

/**
 * Hash of the call as an unsigned transaction, of the type that geth would use: a legacy one only with `gasPrice`.
 * Missing fees count as 0, where geth uses its own suggestion.
 */
export function unsignedHash(
  { gasPrice, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n }: CallArgs,
  call: Pick<CallRequest, 'to' | 'value' | 'input' | 'accessList' | 'authorizationList'> &
    Pick<CallTarget, 'chainId'> & { readonly nonce: bigint; readonly gas: bigint },
): Hash {
  const { to, value, input, accessList, authorizationList, nonce, gas } = call
  const common = { nonce, gas, to, value, input }
  if (gasPrice !== undefined) return hashOf({ type: 0, chainId: null, ...common, gasPrice })
  const typed = { chainId: BigInt(call.chainId), ...common, maxFeePerGas, maxPriorityFeePerGas, accessList }
  return hashOf(authorizationList.length > 0 ? { type: 4, ...typed, authorizationList } : { type: 2, ...typed })
}

function hashOf(tx: UnsignedTransaction): Hash {
  return keccak256Hex(encodeTransaction(tx, undefined))
}

export function inputOf({ input, data }: CallArgs): Uint8Array {
  if (input && data && !equalBytes(input, data)) {
    refuse('both "data" and "input" are set and not equal. Please use "input" to pass transaction call data')
  }
  return input ?? data ?? EMPTY_BYTES
}

/** The price, 0 if there is none: then the call costs nothing. Other errors in it show when it runs. */
function priceOf(
  args: CallArgs,
  from: Address,
  baseFee: bigint,
): Pick<CallRequest, 'gasPrice' | 'feeCap' | 'priceProblem'> {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = args
  if (gasPrice !== undefined && (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined)) {
    refuse('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  }
  const cap = gasPrice ?? maxFeePerGas ?? 0n
  const tip = gasPrice ?? maxPriorityFeePerGas ?? 0n
  if (cap < tip) {
    const detail = `address ${checksumAddress(from)}, maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${cap}`
    return {
      gasPrice: cap,
      feeCap: cap,
      priceProblem: `max priority fee per gas higher than max fee per gas: ${detail}`,
    }
  }
  if (cap === 0n) return { gasPrice: 0n }
  if (cap < baseFee) {
    const detail = `address ${checksumAddress(from)}, maxFeePerGas: ${cap}, baseFee: ${baseFee}`
    return { gasPrice: cap, feeCap: cap, priceProblem: `max fee per gas less than block base fee: ${detail}` }
  }
  return { gasPrice: baseFee + tip < cap ? baseFee + tip : cap, feeCap: cap }
}

function refuse(message: string): never {
  throw new RpcRefusedError('server', message)
}
