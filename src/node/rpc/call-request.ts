import { EMPTY_BYTES, equalBytes } from '#primitives/bytes.ts'
import { type Address, toWord } from '#primitives/hex.ts'
import { checksumAddress } from '../crypto/checksum-address.ts'
import type { CallRequest } from '../evm/call.ts'
import { RpcRefusedError } from './errors.ts'
import type { CallArgs } from './params/call-params.ts'

/** What calls come from that do not say: the zero address. */
const ZERO_ADDRESS = toWord(0).slice(0, 42) as `0x${string}`

/** The chain and the block that a call is made for. */
export interface CallTarget {
  readonly chainId: number
  /** Wei per gas. */
  readonly baseFee: bigint
}

/**
 * The call that a call object describes, its gaps filled as geth fills them.
 *
 * @throws {RpcRefusedError} `server`, if it contradicts itself, is for another chain or offers less than the base fee.
 */
export function toCallRequest(args: CallArgs, { chainId, baseFee }: CallTarget): CallRequest {
  if (args.chainId !== undefined && args.chainId !== BigInt(chainId)) {
    refuse(`chainId does not match node's (have=${args.chainId}, want=${chainId})`)
  }
  const from = args.from ?? ZERO_ADDRESS
  return {
    from,
    to: args.to ?? null,
    gas: args.gas,
    gasPrice: gasPriceOf(args, from, baseFee),
    value: args.value ?? 0n,
    input: inputOf(args),
    accessList: args.accessList,
    authorizationList: args.authorizationList,
  }
}

function inputOf({ input, data }: CallArgs): Uint8Array {
  if (input && data && !equalBytes(input, data)) {
    refuse('both "data" and "input" are set and not equal. Please use "input" to pass transaction call data')
  }
  return input ?? data ?? EMPTY_BYTES
}

/** Wei per gas; 0 where no price is given, and then the call costs nothing. */
function gasPriceOf(args: CallArgs, from: Address, baseFee: bigint): bigint {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = args
  if (gasPrice !== undefined && (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined)) {
    refuse('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  }
  const cap = gasPrice ?? maxFeePerGas ?? 0n
  const tip = gasPrice ?? maxPriorityFeePerGas ?? 0n
  if (cap < tip) {
    refuse(
      `max priority fee per gas higher than max fee per gas: address ${checksumAddress(from)}, maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${cap}`,
    )
  }
  if (cap === 0n) return 0n
  if (cap < baseFee) {
    refuse(
      `max fee per gas less than block base fee: address ${checksumAddress(from)}, maxFeePerGas: ${cap}, baseFee: ${baseFee}`,
    )
  }
  return baseFee + tip < cap ? baseFee + tip : cap
}

function refuse(message: string): never {
  throw new RpcRefusedError('server', message)
}
