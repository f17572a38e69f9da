import { EMPTY_BYTES, equalBytes } from '#primitives/bytes.ts'
import { type Address, toWord } from '#primitives/hex.ts'
import { checksumAddress } from '../../crypto/checksum-address.ts'
import type { CallRequest } from '../../evm/calls/call.ts'
import { RpcRefusedError } from '../errors.ts'
import type { CallArgs } from './call-params.ts'

/** The sender of calls that name none. */
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
 * @throws {RpcRefusedError} `server`, if it contradicts itself, is for another chain or names two kinds of prices.
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
    ...priceOf(args, from, baseFee),
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

/** The price, 0 where none is given: then the call costs nothing. What is wrong with it is found out when it runs. */
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
