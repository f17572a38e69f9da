import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcSimulatedBlock, RpcSimulatedCall } from '#rpc-types/methods/eth.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import type { BlockOverride } from '../../../evm/calls/block-override.ts'
import type { StateOverride } from '../../../evm/calls/state-override.ts'
import type { MessageFailure } from '../../../evm/message.ts'
import type { IncludedTransaction } from '../../../payload/block.ts'
import { simulate } from '../../../payload/simulation/simulate.ts'
import type { SimulatedBlock, SimulatedCall, SimulatedOutcome } from '../../../payload/simulation/simulation.ts'
import { guardFor } from '../../caller-guard.ts'
import { toCallRequest } from '../../calls/call-request.ts'
import {
  NO_BLOCK_OVERRIDE,
  NO_STATE_OVERRIDE,
  parseBlockOverride,
  parseStateOverride,
} from '../../calls/override-params.ts'
import type { NodeContext } from '../../context.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { reverted } from '../../errors.ts'
import { formatBlock, formatFullBlock } from '../../format/block.ts'
import { formatLog, logBlock, placeLog } from '../../format/receipt.ts'
import { blockRef, requireStateBlock } from '../../params/block-params.ts'
import { cannotUnmarshal, jsonType, optional, type Param } from '../../params/param.ts'
import { type TransactionArgs, transactionArgs } from '../../sending/transaction-params.ts'

/** The simulation object of `eth_simulateV1`. */
interface SimulationArgs {
  readonly blocks: readonly {
    readonly block: BlockOverride
    readonly state: StateOverride
    readonly calls: readonly TransactionArgs[]
  }[]
  readonly traceTransfers: boolean
  readonly validation: boolean
  readonly returnFullTransactions: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** Blocks of calls, and how to simulate them. */
const simulationArgs: Param<SimulationArgs> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type ethapi.simOpts')
    return {
      blocks: listIn(value, 'simOpts', 'blockStateCalls').map(parseBlock),
      traceTransfers: flagIn(value, 'traceTransfers'),
      validation: flagIn(value, 'validation'),
      returnFullTransactions: flagIn(value, 'returnFullTransactions'),
    }
  },
}

function parseBlock(value: unknown): SimulationArgs['blocks'][number] {
  if (!isObject(value))
    throw cannotUnmarshal(jsonType(value), 'struct field simOpts.BlockStateCalls of type ethapi.simBlock')
  const block = value['blockOverrides'] ?? undefined
  const state = value['stateOverrides'] ?? undefined
  return {
    block: block === undefined ? NO_BLOCK_OVERRIDE : parseBlockOverride(block, true),
    state: state === undefined ? NO_STATE_OVERRIDE : parseStateOverride(state),
    calls: listIn(value, 'simBlock', 'calls').map((call) => transactionArgs.parse(call)),
  }
}

function listIn(fields: Fields, struct: string, name: string): readonly unknown[] {
  const value = fields[name] ?? []
  if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), `struct field ${struct}.${name} of type array`)
  return value
}

function flagIn(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false
  if (typeof value !== 'boolean') throw cannotUnmarshal(jsonType(value), `struct field simOpts.${name} of type bool`)
  return value
}

/** Simulated blocks. */
export const ETH_SIMULATION_METHODS = {
  /** Simulates blocks of calls on top of a block, with the outcome of each call. */
  eth_simulateV1: defineMethod(
    [simulationArgs, optional(blockRef, 'latest')],
    async (context, args, ref) => {
      const base = requireStateBlock(context, ref)
      const plans = args.blocks.map((plan) => ({
        ...plan,
        calls: plan.calls.map((call) => toSimulatedCall(call, context)),
      }))
      const { runner, spec, chain, control } = context
      const { sharesSeconds } = control.time()
      const blockHash = (number: number) => chain.blockByNumber(number)?.hash
      const guard = guardFor(context, runner.limits.timeoutMs)
      const blocks = await simulate({ spec, guard, blockHash, sharesSeconds, ...runner }, base, plans, args)
      return blocks.map((simulated) => formatSimulated(simulated, args.returnFullTransactions))
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>

const NO_PRICES = { gasPrice: undefined, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }

function toSimulatedCall(args: TransactionArgs, { spec }: Pick<NodeContext, 'spec'>): SimulatedCall {
  const { gasPrice, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, nonce } = args
  const dynamic = args.maxFeePerGas !== undefined || args.maxPriorityFeePerGas !== undefined
  // The simulation checks the prices; here they must only not contradict each other.
  const priced = gasPrice !== undefined && dynamic ? args : { ...args, ...NO_PRICES }
  const request = toCallRequest(priced, { chainId: spec.chainId, baseFee: 0n })
  const { from, to, gas, value, input, accessList, authorizationList } = request
  const fees = gasPrice === undefined ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice }
  return { from, to, nonce, gas, fees, value, input, accessList, authorizationList }
}

function formatSimulated(simulated: SimulatedBlock, fullTransactions: boolean): RpcSimulatedBlock {
  const { block, outcomes } = simulated
  const calls = block.transactions.map((included, i) =>
    formatCall(simulated, included, outcomes[i] as SimulatedOutcome),
  )
  return { ...(fullTransactions ? unsigned(formatFullBlock(block)) : formatBlock(block)), calls }
}

function formatCall(
  { block }: SimulatedBlock,
  included: IncludedTransaction,
  outcome: SimulatedOutcome,
): RpcSimulatedCall {
  const { gasUsed, maxUsedGas, logs, output, failure } = outcome
  const place = { ...included, firstLogIndex: 0 }
  const at = logBlock(block)
  return {
    returnData: failure ? '0x' : bytesToHex(output),
    logs: logs.map((log) => formatLog(placeLog(at, place, log, log.index), false)),
    gasUsed: toQuantity(gasUsed),
    maxUsedGas: toQuantity(maxUsedGas),
    status: failure ? '0x0' : '0x1',
    ...(failure && { error: formatFailure(failure, output) }),
  }
}

function formatFailure({ kind, message }: MessageFailure, output: Uint8Array) {
  return kind === 'reverted' ? reverted(output) : { code: ERROR_CODES['vm-execution'], message }
}

/** Only a missing signature has a `v` of 0. */
function unsigned(block: RpcBlock<RpcTransaction>): RpcBlock {
  return { ...block, transactions: block.transactions.map((tx) => ({ ...tx, v: '0x0' as const })) }
}
