import type { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { effectiveTip, feeCap, isImpersonated, maxCost, type Transaction } from '../../tx/transaction.ts'
import type { BlockEnv } from '../block-env.ts'
import type { Engine } from '../engine.ts'
import type { Execution } from '../message.ts'
import type { L1Charge } from '../rollup.ts'
import type { TransactionTracer } from '../tracer.ts'
import { isDelegation } from './authorization.ts'
import { executeMessage } from './execute-message.ts'

/** The transaction cannot be in a block on this state; nothing was executed. */
export class InvalidTransactionError extends Error {
  override readonly name = 'InvalidTransactionError'
}

const NONE: readonly never[] = []

export interface AppliedTransaction extends Execution {
  /** Wei per gas. */
  readonly effectiveGasPrice: bigint
  /** What it has paid for L1, on a chain of the OP stack. */
  readonly l1?: L1Charge | undefined
}

/**
 * Executes a transaction on the state.
 *
 * @returns A promise only if there is something to wait for.
 * @throws {InvalidTransactionError} If nonce, fee, funds or sender do not fit the state.
 * @throws {Error} If the engine fails. In both cases the state is unchanged.
 */
export function applyTransaction(
  engine: Engine,
  state: WorldState,
  env: BlockEnv,
  tx: Transaction,
  chainId: number,
  guard: ExecutionGuard,
  tracer?: TransactionTracer,
): AppliedTransaction | Promise<AppliedTransaction> {
  const l1 = engine.rollup?.chargeOf(state, tx)
  const dues = l1 && engine.rollup ? l1.fee + engine.rollup.operatorFee(l1, tx.gas) : 0n
  checkAgainstState(state, env, tx, dues)
  const tip = effectiveTip(tx, env.baseFee)
  const gasPrice = env.baseFee + tip
  const message = {
    from: tx.sender,
    to: tx.to,
    gas: tx.gas,
    gasPrice,
    tip,
    value: tx.value,
    input: tx.input,
    accessList: tx.type === 0 ? NONE : tx.accessList,
    authorizationList: tx.type === 4 ? tx.authorizationList : NONE,
    l1,
  }
  state.checkpoint()
  try {
    const execution = executeMessage(engine, state, env, message, chainId, guard, tracer)
    return execution instanceof Promise
      ? keepLater(state, execution, gasPrice, l1)
      : keep(state, execution, gasPrice, l1)
  } catch (error) {
    state.revert()
    throw error
  }
}

async function keepLater(state: WorldState, running: Promise<Execution>, gasPrice: bigint, l1?: L1Charge) {
  try {
    return keep(state, await running, gasPrice, l1)
  } catch (error) {
    state.revert()
    throw error
  }
}

function keep(
  state: WorldState,
  execution: Execution,
  effectiveGasPrice: bigint,
  l1: L1Charge | undefined,
): AppliedTransaction {
  state.commit()
  return { ...execution, effectiveGasPrice, l1 }
}

/** @param dues - Wei that it pays at most besides. */
function checkAgainstState(state: WorldState, env: BlockEnv, tx: Transaction, dues: bigint): void {
  const account = state.account(tx.sender)
  const nonce = account?.nonce ?? 0n
  if (tx.nonce !== nonce) throw new InvalidTransactionError(`nonce ${tx.nonce} where the account has ${nonce}`)
  if (feeCap(tx) < env.baseFee) throw new InvalidTransactionError(`fee cap ${feeCap(tx)} below base fee ${env.baseFee}`)
  if ((account?.balance ?? 0n) < maxCost(tx) + dues) {
    throw new InvalidTransactionError('insufficient funds for gas * price + value')
  }
  if (isImpersonated(tx)) return
  const code = state.code(tx.sender)
  if (code.length > 0 && !isDelegation(code)) throw new InvalidTransactionError('sender not an eoa (EIP-3607)')
}
