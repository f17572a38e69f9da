import type { CallContext, CallRequest } from '../../evm/calls/call.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { UnsignedTransaction } from '../../tx/transaction.ts'
import { guardFor } from '../caller-guard.ts'
import { toCallRequest } from '../calls/call-request.ts'
import type { NodeContext } from '../context.ts'
import type { CallerContext } from '../define-method.ts'
import { RpcRefusedError } from '../errors.ts'
import { pendingBlock } from '../params/block-params.ts'
import type { TransactionArgs } from './transaction-params.ts'

/** A transaction without its nonce, which must only be chosen when it is used. */
export interface TransactionDraft {
  readonly request: CallRequest
  readonly fees: FilledFees
  readonly gas: bigint
}

type DraftContext = Pick<
  CallerContext,
  | 'spec'
  | 'dialect'
  | 'chain'
  | 'preview'
  | 'environment'
  | 'estimateGas'
  | 'estimateSequence'
  | 'runner'
  | 'clock'
  | 'caller'
  | 'work'
>

/**
 * Fills in a transaction object as geth does: prices as suggested, gas as estimated in the live block.
 *
 * @throws {RpcRefusedError} `server`, if it contradicts itself, is for another chain, is invalid, or if its gas cannot
 * be estimated for a price below the base fee.
 * @throws {CallFailedError} If the estimate fails.
 */
export async function draftTransaction(context: DraftContext, args: TransactionArgs): Promise<TransactionDraft> {
  const live = liveBlock(context)
  const { request, fees, toTry } = describe(context, args, live.env.baseFee)
  const gas = args.gas ?? (await inTurn(context, (guard) => context.estimateGas(toTry(), live, guard)))
  return { request, fees, gas }
}

/**
 * Drafts transactions that are sent in sequence; gas is estimated for each on the state after the one before.
 *
 * @param gasOfFailing - The gas of those whose estimate fails.
 * @throws {RpcRefusedError | CallFailedError} As in {@link draftTransaction}, for any of them.
 */
export async function draftSequence(
  context: DraftContext,
  list: readonly TransactionArgs[],
  gasOfFailing?: bigint,
): Promise<readonly TransactionDraft[]> {
  const live = liveBlock(context)
  const described = list.map((args) => describe(context, args, live.env.baseFee))
  const requests = described.map(({ toTry }) => toTry())
  const estimates = await inTurn(context, (guard) => context.estimateSequence(requests, live, guard, gasOfFailing))
  return estimates.map((gas, i) => ({ ...(described[i] as (typeof described)[number]), gas }))
}

/** Estimates in the queue of calls, and no longer than the caller waits. */
function inTurn<Result>(context: DraftContext, work: (guard: ExecutionGuard) => Promise<Result>): Promise<Result> {
  return context.work.calls.run(context.caller, () => work(guardFor(context, context.runner.limits.timeoutMs)))
}

/** The transaction to sign: a draft with its nonce. */
export function finishDraft(
  { request, fees, gas }: TransactionDraft,
  nonce: bigint,
  { chainId }: Pick<NodeContext['spec'], 'chainId'>,
): UnsignedTransaction {
  const { to, value, input, accessList, authorizationList } = request
  const common = { chainId: BigInt(chainId), nonce, gas, to, value, input }
  switch (fees.type) {
    case 0:
      return { type: 0, ...common, ...fees.prices }
    case 1:
      return { type: 1, ...common, ...fees.prices, accessList }
    case 2:
      return { type: 2, ...common, ...fees.prices, accessList }
    case 4:
      return { type: 4, ...common, ...fees.prices, accessList, authorizationList }
  }
}

function liveBlock(context: DraftContext): CallContext {
  const block = pendingBlock(context)
  return { state: block.state, env: context.environment(block) }
}

function describe({ spec, dialect }: DraftContext, args: TransactionArgs, baseFee: bigint) {
  const { chainId, suggestedTip: usualTip } = spec
  if (args.hasBlobs) refuse('signing blob transactions not supported')
  const fees = fillFees(args, baseFee, usualTip)
  const priced = { ...args, ...fees.prices }
  // A transaction with a price below the base fee is valid and may wait, but it cannot be estimated.
  const request = toCallRequest(priced, { chainId, baseFee: 0n })
  const toTry = () => toCallRequest(priced, { chainId, baseFee })
  if (request.to === null) {
    if (fees.type === 4) refuse('missing "to" in set code transaction')
    if (request.input.length === 0 && !dialect?.createsEmpty) refuse('contract creation without any data provided')
  }
  return { request, fees, toTry }
}

/** A transaction's type and prices, in wei per gas. */
type FilledFees =
  | { readonly type: 0 | 1; readonly prices: { readonly gasPrice: bigint } }
  | { readonly type: 2 | 4; readonly prices: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint } }

/**
 * The type given in a transaction object or implied by its members, and its prices, filled in as by geth. Unlike in
 * geth, which has no `type` here, nothing given is ignored.
 *
 * @param baseFee - Of the live block, in wei per gas.
 * @param usualTip - Wei per gas.
 * @throws {RpcRefusedError} `server`, if members contradict each other or prices are invalid.
 */
function fillFees(args: TransactionArgs, baseFee: bigint, usualTip: bigint): FilledFees {
  if (args.gasPrice !== undefined && (args.maxFeePerGas !== undefined || args.maxPriorityFeePerGas !== undefined)) {
    refuse('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  }
  const type = typeOf(args)
  if (type === 0 || type === 1) return { type, prices: { gasPrice: fillGasPrice(args, baseFee, usualTip) } }
  return { type, prices: fillFeeMarket(args, baseFee, usualTip) }
}

function typeOf(args: TransactionArgs): 0 | 1 | 2 | 4 {
  // As in geth, prices of type 2 decide where a library names an older type with them.
  const isDynamic = args.maxFeePerGas !== undefined || args.maxPriorityFeePerGas !== undefined
  const type = args.type !== undefined && args.type < 2n && isDynamic ? 2n : args.type
  if (type === undefined) return impliedType(args)
  if (type !== 0n && type !== 1n && type !== 2n && type !== 4n) refuse('transaction type not supported')
  const misplaced =
    (type !== 4n && args.authorizationList.length > 0 && 'authorizationList') ||
    (type === 0n && args.accessList.length > 0 && 'accessList') ||
    (type >= 2n && args.gasPrice !== undefined && 'gasPrice')
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

function fillGasPrice({ gasPrice }: TransactionArgs, baseFee: bigint, usualTip: bigint): bigint {
  // A development chain may have no base fee.
  if (gasPrice === 0n && baseFee > 0n) refuse('gasPrice must be non-zero after london fork')
  return gasPrice ?? baseFee + usualTip
}

function fillFeeMarket(args: TransactionArgs, baseFee: bigint, usualTip: bigint) {
  const tip = args.maxPriorityFeePerGas ?? suggestedTip(args.maxFeePerGas, usualTip)
  const cap = args.maxFeePerGas ?? tip + 2n * baseFee
  if (cap === 0n && baseFee > 0n) refuse('maxFeePerGas must be non-zero')
  if (cap < tip) refuse(`maxFeePerGas (${cap}) < maxPriorityFeePerGas (${tip})`)
  return { maxFeePerGas: cap, maxPriorityFeePerGas: tip }
}

/** At most the cap, so that a call with only a low cap is not refused because of the suggested tip. */
function suggestedTip(cap: bigint | undefined, usual: bigint): bigint {
  return cap !== undefined && cap < usual ? cap : usual
}

function refuse(message: string): never {
  throw new RpcRefusedError('server', message)
}
