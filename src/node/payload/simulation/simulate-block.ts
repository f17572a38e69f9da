import { bytesToHex, toWord } from '#primitives/hex.ts'
import { type BlockEnv, envOf } from '../../evm/block-env.ts'
import { applyStateOverride, placesOf } from '../../evm/calls/state-override.ts'
import { executeMessage } from '../../evm/transactions/execute-message.ts'
import { applySystemCalls } from '../../evm/transactions/system-calls.ts'
import { nextBaseFee } from '../../spec/base-fee.ts'
import { extraDataOf } from '../../spec/extra-data.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import type { Block, Header, HeaderBase } from '../block.ts'
import { BlockBody } from '../block-body.ts'
import { blockSize, hashHeader } from '../header.ts'
import { LogCollector } from './log-collector.ts'
import type { PlannedBlock } from './plan-blocks.ts'
import { type FilledCall, toMessage, toTransaction } from './simulated-message.ts'
import {
  type SimulatedBlock,
  type SimulatedCall,
  type SimulatedOutcome,
  type SimulationDeps,
  SimulationError,
  type SimulationOptions,
} from './simulation.ts'

/** State that the blocks of a simulation share. */
export interface Simulator {
  readonly deps: SimulationDeps
  readonly options: SimulationOptions
  /** The working state, which moves from block to block. */
  readonly state: WorldState
  readonly guard: ExecutionGuard
  /** Gas left for all remaining calls. */
  remainingGas: bigint
  /** Hash of an earlier block, sealed or simulated. */
  readonly blockHash: BlockEnv['blockHash']
}

/**
 * Simulates one block on the state.
 *
 * @throws {SimulationError} If one of its calls cannot be part of a block.
 */
export async function simulateBlock(simulator: Simulator, plan: PlannedBlock, parent: Block): Promise<SimulatedBlock> {
  const { deps, options, state, guard } = simulator
  const base = headerBase(simulator, plan, parent)
  const precompiles = await applyStateOverride(state, plan.state, placesOf({}, deps.engine.precompiles), guard)
  const { blobBaseFee } = plan.block
  const env: BlockEnv = {
    ...envOf(base, simulator.blockHash),
    ...(blobBaseFee !== undefined && { blobBaseFee }),
    precompiles,
  }
  await applySystemCalls(deps.engine, state, env, base, guard)
  const body = new BlockBody()
  const collector = new LogCollector(options.traceTransfers)
  const outcomes: SimulatedOutcome[] = []
  for (const call of plan.calls) {
    outcomes.push(await simulateCall(simulator, call, env, body, collector))
    await guard.checkpoint()
  }
  return { block: finish(base, body, state), outcomes }
}

async function simulateCall(
  simulator: Simulator,
  wanted: SimulatedCall,
  env: BlockEnv,
  body: BlockBody,
  collector: LogCollector,
): Promise<SimulatedOutcome> {
  const { deps, options, state, guard } = simulator
  const { chainId, codeSizeLimit } = deps.spec
  const { call, capped } = fillCall(simulator, wanted, env.gasLimit - body.gasUsed)
  const message = toMessage(call, {
    state,
    chainId,
    codeSizeLimit,
    baseFee: env.baseFee,
    validation: options.validation,
  })
  const execution = await executeMessage(deps.engine, state, env, message, chainId, guard, collector)
  simulator.remainingGas -= execution.gasUsed
  body.append(toTransaction(call, { chainId }), { ...execution, effectiveGasPrice: message.gasPrice }, 0)
  const { gasUsed, peakGas, output, failure } = execution
  return {
    gasUsed,
    maxUsedGas: peakGas,
    logs: collector.logs(),
    output,
    failure:
      failure?.kind === 'halted' && capped
        ? { ...failure, message: `${failure.message} (gas limit was capped by the RPC server's global gas cap)` }
        : failure,
  }
}

/**
 * @param left - Remaining gas of the block.
 * @returns The call, and whether the gas cap reduced its gas.
 */
function fillCall(
  { state, remainingGas }: Simulator,
  call: SimulatedCall,
  left: bigint,
): { readonly call: FilledCall; readonly capped: boolean } {
  const wanted = call.gas ?? left
  if (left < wanted) {
    const message = `block gas limit reached: remaining: ${left}, required: ${wanted}`
    throw new SimulationError('block-gas-limit', message)
  }
  const nonce = call.nonce ?? state.account(call.from)?.nonce ?? 0n
  const capped = remainingGas < wanted
  return { call: { ...call, nonce, gas: capped ? remainingGas : wanted }, capped }
}

function headerBase({ deps, options }: Simulator, plan: PlannedBlock, parent: Block): HeaderBase {
  const { coinbase, gasLimit, prevRandao, baseFee, beaconRoot } = plan.block
  return {
    parentHash: parent.hash,
    coinbase: coinbase ?? parent.header.coinbase,
    number: plan.number,
    gasLimit: gasLimit ?? parent.header.gasLimit,
    timestamp: plan.timestamp,
    // Geth leaves it empty; here it holds the rule for the next base fee.
    extraData: extraDataOf(deps.spec),
    mixHash: prevRandao ?? toWord(0),
    baseFeePerGas: baseFee ?? (options.validation ? nextBaseFee(parent.header) : 0n),
    parentBeaconBlockRoot: beaconRoot ?? toWord(0),
  }
}

function finish(base: HeaderBase, body: BlockBody, state: WorldState): SimulatedBlock['block'] {
  const snapshot = state.snapshot()
  const header: Header = {
    ...base,
    stateRoot: snapshot.stateRoot(),
    transactionsRoot: bytesToHex(body.transactionsRoot()),
    receiptsRoot: bytesToHex(body.receiptsRoot()),
    logsBloom: body.bloom(),
    gasUsed: body.gasUsed,
  }
  return {
    kind: 'sealed',
    header,
    hash: hashHeader(header),
    size: blockSize(header, body.bytes),
    transactions: body.transactions(),
    edits: [],
    state: snapshot,
  }
}
