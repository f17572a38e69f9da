import type { Address, Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { BLOB_GAS } from '../../spec/gas-schedule.ts'
import { isSince } from '../../spec/rules.ts'
import { EMPTY_CODE_HASH } from '../../state/state-snapshot.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { atLeastFloorGas, intrinsicGas } from '../../tx/intrinsic-gas.ts'
import type { AccessListItem } from '../../tx/transaction.ts'
import type { BlockEnv } from '../block-env.ts'
import type { Engine } from '../engine.ts'
import type { Execution, Message, MessageResult, TransactionMessage } from '../message.ts'
import type { L1Charge, Rollup } from '../rollup.ts'
import type { TransactionTracer } from '../tracer.ts'
import { applyAuthorizations } from './authorization.ts'
import { credit } from './credit.ts'
import { transferPlainly } from './plain-transfer.ts'

/** Refunds are at most the gas used divided by this (EIP-3529). */
const MAX_REFUND_QUOTIENT = 5n
const NO_BLOBS: readonly Hash[] = []
const NOTHING_WARM = { addresses: [], slots: [] }

/**
 * Buys gas, increments the nonce, sets delegations, runs the message, refunds unused gas and pays the coinbase. The
 * sender's nonce and funds were checked before.
 *
 * @returns A promise only if there is something to wait for, as for few messages.
 * @throws {Error} If the guard aborts or the engine fails; the state is then between checkpoints, and the caller
 * reverts it.
 */
export function executeMessage(
  engine: Engine,
  state: WorldState,
  env: BlockEnv,
  message: TransactionMessage,
  chainId: number,
  guard: ExecutionGuard,
  tracer?: TransactionTracer,
): Execution | Promise<Execution> {
  const { from, to, gas, gasPrice, blobHashes, l1 } = message
  const { rollup } = engine
  tracer?.begin?.({ state, env, message })
  state.beginTransaction()
  const sender = state.account(from)
  const dues = rollup && l1 ? l1.fee + rollup.operatorFee(l1, gas) : 0n
  state.setAccount(from, {
    nonce: (sender?.nonce ?? 0n) + 1n,
    balance: (sender?.balance ?? 0n) - gas * gasPrice - blobFee(env, blobHashes) - dues,
    codeHash: sender?.codeHash ?? EMPTY_CODE_HASH,
  })
  const authorized = applyAuthorizations(state, message.authorizationList, chainId)
  const intrinsic = intrinsicGas(message)
  invariant(gas >= intrinsic, 'the gas limit does not cover the intrinsic gas')
  const settle = (result: MessageResult): Execution => {
    const peakGas = intrinsic + result.gasUsed
    const refund = min(result.refund + authorized.refund, peakGas / MAX_REFUND_QUOTIENT)
    const afterRefund = peakGas - refund
    const gasUsed = isSince(engine.hardfork, 'Prague') ? atLeastFloorGas(afterRefund, message) : afterRefund
    credit(state, from, (gas - gasUsed) * gasPrice)
    credit(state, env.coinbase, gasUsed * message.tip)
    if (rollup && l1) payVaults(rollup, state, env, message, l1, gasUsed)
    const { logs, output, failure, contractAddress, consoleCalls } = result
    const execution: Execution = {
      gasUsed,
      peakGas: max(peakGas, gasUsed),
      refund,
      logs,
      output,
      failure,
      contractAddress,
      consoleCalls,
    }
    tracer?.end?.(execution)
    return execution
  }
  const plain = tracer ? undefined : transferPlainly(engine, state, env, message)
  if (plain) return settle(plain)
  const warm = warmOf(message.accessList, authorized.warm)
  const engineMessage: Message = {
    from,
    to,
    value: message.value,
    input: message.input,
    gas: gas - intrinsic,
    gasPrice,
    warmAddresses: warm.addresses,
    warmSlots: warm.slots,
    blobHashes: blobHashes ?? NO_BLOBS,
    refund: authorized.refund,
    isTrial: message.isTrial ?? false,
  }
  const result = engine.run(state, env, engineMessage, guard, tracer)
  return result instanceof Promise ? result.then(settle) : settle(result)
}

/** Pays those who get something on the OP stack, and gives back what the operator does not. */
function payVaults(
  rollup: Rollup,
  state: WorldState,
  { baseFee }: BlockEnv,
  { from, gas }: TransactionMessage,
  l1: L1Charge,
  gasUsed: bigint,
): void {
  const { vaults } = rollup
  const forOperator = rollup.operatorFee(l1, gasUsed)
  credit(state, from, rollup.operatorFee(l1, gas) - forOperator)
  credit(state, vaults.baseFee, gasUsed * baseFee)
  credit(state, vaults.l1Fee, l1.fee)
  credit(state, vaults.operatorFee, forOperator)
}

/** Fee for the blobs in wei; most messages have none. */
function blobFee({ blobBaseFee = 1n }: BlockEnv, blobHashes: readonly Hash[] = NO_BLOBS): bigint {
  return blobHashes.length === 0 ? 0n : BigInt(blobHashes.length) * BLOB_GAS * blobBaseFee
}

/** Addresses and slots that EIP-2930 and EIP-7702 make warm before the first step. */
function warmOf(accessList: readonly AccessListItem[], authorities: readonly Address[]) {
  if (accessList.length === 0 && authorities.length === 0) return NOTHING_WARM
  return {
    addresses: [...accessList.map(({ address }) => address), ...authorities],
    slots: accessList.flatMap(({ address, storageKeys }) => storageKeys.map((slot) => ({ address, slot }))),
  }
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)
const max = (a: bigint, b: bigint) => (a > b ? a : b)
