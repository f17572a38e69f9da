import { OUTCOME, RUN } from '#engine/engine-exports.ts'
import { EngineInstance } from '#engine/engine-instance.ts'
import type { Address } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { precompilesOf } from '../spec/fork.ts'
import { type Fork, NEWEST_FORK } from '../spec/rules.ts'
import type { WorldState } from '../state/world-state.ts'
import type { BlockEnv } from './block-env.ts'
import type { Engine, ExecutionGuard, Message, MessageResult } from './engine.ts'
import { numbersOf, Precompiles } from './precompiles/precompiles.ts'
import type { Tracer } from './tracer.ts'
import { applyChanges } from './wasm-changes.ts'
import { failureOf } from './wasm-failure.ts'
import { readLogs } from './wasm-logs.ts'
import { WasmTracing } from './wasm-tracing.ts'

/** Gas between two looks at the clock: less than a millisecond of the dearest steps. */
const GAS_PER_CHECKPOINT = 200_000n
/** Bytes of memory beyond which an instance is not used again: memory never shrinks. */
const MOST_BYTES = 128 << 20
/** More than any block has; the engine counts in 64 bits with a sign. */
const MOST_GAS = (1n << 63n) - 1n

/** What one message at a time runs on. */
interface Machine {
  readonly instance: EngineInstance
  readonly precompiles: Precompiles
  /** What the newest message has seen; the next is mostly of the same block. */
  block: BlockEnv | undefined
  /** Why the newest precompile has failed; empty for want of gas. */
  precompileFailure: string
}

/** What all messages have in common. */
interface Chain {
  readonly id: number
  readonly fork: Fork
  readonly precompiles: readonly Address[]
  /** Of each precompile, by its address. */
  readonly numbers: ReadonlyMap<Address, number>
}

/**
 * Blinknet's own engine, in WebAssembly: see `src/engine/`. What it does not run of the precompiles is run here.
 *
 * @param chainId - What CHAINID answers.
 */
export async function createWasmEngine(chainId: number, fork: Fork = NEWEST_FORK): Promise<Engine> {
  const precompiles = precompilesOf(fork)
  const chain: Chain = { id: chainId, fork, precompiles, numbers: numbersOf(precompiles) }
  const idle: Machine[] = [await createMachine(chain, false)]
  const idleWatched: Machine[] = []
  return {
    fork,
    precompiles: new Set(precompiles),
    async run(state, env, message, guard, tracer) {
      const machines = tracer ? idleWatched : idle
      const machine = machines.pop() ?? (await createMachine(chain, tracer !== undefined))
      if (tracer) attachTracer(machine, chain, message, tracer)
      const result = await runMessage(machine, chain, state, env, message, guard)
      // One that threw is not used again: it may have stopped anywhere.
      if (machine.instance.memory.bytes.length <= MOST_BYTES) machines.push(machine)
      return result
    },
  }
}

async function createMachine({ id, fork, precompiles }: Chain, isWatched: boolean): Promise<Machine> {
  const instance = await (isWatched ? EngineInstance.createWatched(fork) : EngineInstance.create(fork))
  instance.writePrecompiles(precompiles)
  return { instance, precompiles: new Precompiles(id, fork), block: undefined, precompileFailure: '' }
}

/** For one message. */
function attachTracer(machine: Machine, { fork }: Chain, { refund = 0n }: Message, tracer: Tracer): void {
  const { instance } = machine
  const traced = { fork, refund, precompileFailure: () => machine.precompileFailure }
  instance.watcher = new WasmTracing(instance, traced, tracer)
  instance.exports.startTelling(tracer.step ? 1 : 0)
}

async function runMessage(
  machine: Machine,
  chain: Chain,
  state: WorldState,
  env: BlockEnv,
  message: Message,
  guard: ExecutionGuard,
): Promise<MessageResult> {
  const { exports, memory } = machine.instance
  machine.precompileFailure = ''
  let isRunning = start(machine, chain, state, env, message)
  while (isRunning) {
    const answer = exports.run(GAS_PER_CHECKPOINT)
    if (answer === RUN.done) break
    if (answer === RUN.paused) {
      const pause = guard.checkpoint()
      if (pause) await pause
    } else {
      isRunning = await runPrecompile(machine, guard)
    }
  }
  const isSuccess = exports.outcome() === OUTCOME.succeeded
  if (isSuccess && message.isTrial !== true) applyChanges(machine.instance, state)
  return {
    gasUsed: message.gas - exports.gasLeft(),
    refund: isSuccess ? exports.refund() : 0n,
    logs: isSuccess ? readLogs(machine.instance) : [],
    output: memory.slice(exports.outputAt(), exports.outputSize()),
    failure: failureOf(exports.outcome(), exports.reason(), exports, machine.precompileFailure),
    contractAddress: isSuccess && message.to === null ? memory.readAddress(exports.createdAddressAt()) : null,
  }
}

/** @returns Whether there is something to run. */
function start(machine: Machine, { id, numbers }: Chain, state: WorldState, env: BlockEnv, message: Message): boolean {
  const { instance } = machine
  const { exports, memory } = instance
  const { to, input, gas } = message
  invariant(gas <= MOST_GAS, 'a message has more gas than the engine can count')
  const inputAt = exports.prepare(input.length)
  memory.bytes.set(input, inputAt)
  const { precompiles: moved } = env
  instance.host = {
    account: (address) => state.account(address),
    hasStorage: (address) => state.hasStorage(address),
    code: (address) => state.code(address),
    storage: (address, slot) => state.storage(address, slot),
    blockHash: (number) => env.blockHash(number),
    precompileAt(address) {
      const precompile = moved ? moved.get(address) : address
      return (precompile && numbers.get(precompile)) ?? 0
    },
  }
  if (machine.block !== env) {
    instance.writeBlock({ ...env, chainId: id, blobBaseFee: env.blobBaseFee ?? 1n })
    machine.block = env
  }
  const { from: origin, gasPrice, value, blobHashes = [] } = message
  instance.writeMessage({ origin, gasPrice, value, blobHashes })
  warm(instance, message)
  if (to === null) return exports.create(inputAt, input.length, gas) !== 0
  memory.writeHex(exports.targetAt(), to)
  return exports.call(inputAt, input.length, gas) !== 0
}

function warm({ exports, memory }: EngineInstance, message: Message): void {
  const targetAt = exports.targetAt()
  const warmAddress = (address: Address) => {
    memory.writeHex(targetAt, address)
    exports.warmTarget()
  }
  for (const address of message.warmAddresses) warmAddress(address)
  for (const { address, slot } of message.warmSlots) {
    memory.writeHex(targetAt, address)
    memory.writeHex(exports.slotKeyAt(), slot)
    exports.warmTarget()
    exports.warmTargetSlot()
  }
}

/** Runs the precompile that the engine waits for. @returns Whether there is more to run. */
async function runPrecompile(machine: Machine, guard: ExecutionGuard): Promise<boolean> {
  const { exports, memory } = machine.instance
  const gas = exports.gasLeft()
  const input = memory.slice(exports.precompileInputAt(), exports.precompileInputSize())
  const result = await machine.precompiles.run(exports.precompile(), input, gas, guard)
  machine.precompileFailure = result.failure ?? ''
  if (result.failure !== undefined) return exports.endPrecompile(0, 0n) !== 0
  const outputAt = exports.reserveReturnData(result.output.length)
  memory.bytes.set(result.output, outputAt)
  return exports.endPrecompile(1, gas - result.gasUsed) !== 0
}
