import { RpcRefusedError } from '../errors.ts'
import { SUGGESTED_TIP } from '../methods/eth/fees.ts'
import type { TransactionArgs } from './transaction-params.ts'

/** The type of a transaction and the prices that it has, in wei per gas. */
export type FilledFees =
  | { readonly type: 0 | 1; readonly prices: { readonly gasPrice: bigint } }
  | { readonly type: 2 | 4; readonly prices: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint } }

/**
 * The type that a transaction object asks for, or else the one that its members imply, and its prices with their gaps
 * filled as geth fills them. Unlike geth, which has no `type` here, nothing that was given is passed over.
 *
 * @param baseFee - Of the live block, in wei per gas.
 * @throws {RpcRefusedError} `server`, if members contradict each other or the prices are none.
 */
export function fillFees(args: TransactionArgs, baseFee: bigint): FilledFees {
  if (args.gasPrice !== undefined && (args.maxFeePerGas !== undefined || args.maxPriorityFeePerGas !== undefined)) {
    refuse('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  }
  const type = typeOf(args)
  if (type === 0 || type === 1) return { type, prices: { gasPrice: fillGasPrice(args, baseFee) } }
  return { type, prices: fillFeeMarket(args, baseFee) }
}

function typeOf(args: TransactionArgs): 0 | 1 | 2 | 4 {
  const { type } = args
  if (type === undefined) return impliedType(args)
  if (type !== 0n && type !== 1n && type !== 2n && type !== 4n) refuse('transaction type not supported')
  const misplaced =
    (type !== 4n && args.authorizationList.length > 0 && 'authorizationList') ||
    (type === 0n && args.accessList.length > 0 && 'accessList') ||
    (type >= 2n && args.gasPrice !== undefined && 'gasPrice') ||
    (type < 2n && args.maxFeePerGas !== undefined && 'maxFeePerGas') ||
    (type < 2n && args.maxPriorityFeePerGas !== undefined && 'maxPriorityFeePerGas')
  if (misplaced) refuse(`a transaction of type ${type} has no ${misplaced}`)
  return Number(type) as 0 | 1 | 2 | 4
}

function impliedType({ authorizes, gasPrice, accessList }: TransactionArgs): 0 | 1 | 2 | 4 {
  if (authorizes) {
    if (gasPrice !== undefined) refuse('a transaction of type 4 has no gasPrice')
    return 4
  }
  if (gasPrice === undefined) return 2
  return accessList.length > 0 ? 1 : 0
}

function fillGasPrice({ gasPrice }: TransactionArgs, baseFee: bigint): bigint {
  // A development chain may have no base fee.
  if (gasPrice === 0n && baseFee > 0n) refuse('gasPrice must be non-zero after london fork')
  return gasPrice ?? baseFee + SUGGESTED_TIP
}

function fillFeeMarket(args: TransactionArgs, baseFee: bigint) {
  const tip = args.maxPriorityFeePerGas ?? suggestedTip(args.maxFeePerGas)
  const cap = args.maxFeePerGas ?? tip + 2n * baseFee
  if (cap === 0n && baseFee > 0n) refuse('maxFeePerGas must be non-zero')
  if (cap < tip) refuse(`maxFeePerGas (${cap}) < maxPriorityFeePerGas (${tip})`)
  return { maxFeePerGas: cap, maxPriorityFeePerGas: tip }
}

/** At most the cap, so that whoever names a low cap alone is not refused for a tip that was not his. */
function suggestedTip(cap: bigint | undefined): bigint {
  return cap !== undefined && cap < SUGGESTED_TIP ? cap : SUGGESTED_TIP
}

function refuse(message: string): never {
  throw new RpcRefusedError('server', message)
}
