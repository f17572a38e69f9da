import type { CallContext, CallRequest } from '../../evm/calls/call.ts'
import type { ExecutionGuard } from '../../evm/message.ts'
import type { UnsignedTransaction } from '../../tx/transaction.ts'
import { guardFor } from '../caller-guard.ts'
import { toCallRequest } from '../calls/call-request.ts'
import type { NodeContext } from '../context.ts'
import type { CallerContext } from '../define-method.ts'
import { RpcRefusedError } from '../errors.ts'
import { type FilledFees, fillFees } from './transaction-fees.ts'
import type { TransactionArgs } from './transaction-params.ts'

/** A transaction but for its nonce, which must not be chosen before the moment that it is used. */
export interface TransactionDraft {
  readonly request: CallRequest
  readonly fees: FilledFees
  readonly gas: bigint
}

type DraftContext = Pick<
  CallerContext,
  'spec' | 'chain' | 'environment' | 'estimateGas' | 'estimateSequence' | 'runner' | 'clock' | 'caller' | 'work'
>

/**
 * The transaction that a transaction object describes, filled as geth fills it: prices as the node suggests them, gas as
 * estimated in the live block.
 *
 * @throws {RpcRefusedError} `server`, if it contradicts itself, is for another chain, cannot be what it wants to be, or
 * if its gas cannot be estimated for a price below the base fee.
 * @throws {CallFailedError} If the estimate fails.
 */
export async function draftTransaction(context: DraftContext, args: TransactionArgs): Promise<TransactionDraft> {
  const live = liveBlock(context)
  const { request, fees, toTry } = describe(context, args, live.env.baseFee)
  const gas = args.gas ?? (await inTurn(context, (guard) => context.estimateGas(toTry(), live, guard)))
  return { request, fees, gas }
}

/**
 * The same for transactions that are sent one after the other; gas is estimated for all of them, each on the state that
 * the one before leaves.
 *
 * @throws {RpcRefusedError | CallFailedError} As {@link draftTransaction}, if that is so of one of them.
 */
export async function draftSequence(
  context: DraftContext,
  list: readonly TransactionArgs[],
): Promise<readonly TransactionDraft[]> {
  const live = liveBlock(context)
  const described = list.map((args) => describe(context, args, live.env.baseFee))
  const requests = described.map(({ toTry }) => toTry())
  const estimates = await inTurn(context, (guard) => context.estimateSequence(requests, live, guard))
  return estimates.map((gas, i) => ({ ...(described[i] as (typeof described)[number]), gas }))
}

/** Estimates like any other call: when it is its turn, and no longer than the caller waits. */
function inTurn<Result>(context: DraftContext, work: (guard: ExecutionGuard) => Promise<Result>): Promise<Result> {
  return context.work.calls.run(context.caller, () => work(guardFor(context, context.runner.limits.timeoutMs)))
}

/** What there is to sign of a draft once it has its nonce. */
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

function liveBlock({ chain, environment }: DraftContext): CallContext {
  const block = chain.pending()
  return { state: block.state, env: environment(block) }
}

function describe({ spec }: DraftContext, args: TransactionArgs, baseFee: bigint) {
  const { chainId } = spec
  if (args.hasBlobs || args.type === 3n) refuse('signing blob transactions not supported')
  const fees = fillFees(args, baseFee)
  const priced = { ...args, ...fees.prices }
  // A price below the base fee is no mistake in a transaction, which may wait for a lower one; it cannot be tried, though.
  const request = toCallRequest(priced, { chainId, baseFee: 0n })
  const toTry = () => toCallRequest(priced, { chainId, baseFee })
  if (request.to === null) {
    if (fees.type === 4) refuse('missing "to" in set code transaction')
    if (request.input.length === 0) refuse('contract creation without any data provided')
  }
  return { request, fees, toTry }
}

function refuse(message: string): never {
  throw new RpcRefusedError('server', message)
}
