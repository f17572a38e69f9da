import type { Compilation } from '#engine/code-compiler.ts'
import { OUTCOME, RESULT, RUN, TELL } from '#engine/engine-exports.ts'
import { EngineInstance } from '#engine/engine-instance.ts'
import { EMPTY_BYTES } from '#primitives/bytes.ts'
import type { Address } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { HardforkName } from '../../../spec/rules.ts'
import type { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import type { BlockEnv } from '../../block-env.ts'
import { ConsoleCollector } from '../../console-calls.ts'
import type { Message, MessageResult } from '../../message.ts'
import type { PrecompileResult } from '../../precompiles/precompile-result.ts'
import { Precompiles } from '../../precompiles/precompiles.ts'
import type { Tracer } from '../../tracer.ts'
import { applyChanges } from './changes.ts'
import { failureOf } from './failure.ts'
import type { IdleMachines } from './idle-machines.ts'
import { NO_LOGS, readLogs } from './logs.ts'
import { WasmTracing } from './tracing.ts'
import { WasmWorld } from './world.ts'

/**
 * Gas between two looks at the clock: less than a millisecond of the most expensive steps, but more than any single
 * step costs, or a run would never get past that step.
 */
const GAS_PER_CHECKPOINT = 200_000n
/** Bytes of memory above which an instance is not reused, since memory never shrinks. */
const MAX_BYTES = 128 << 20
/** More than any block has; the engine uses signed 64-bit integers for gas. */
const MAX_GAS = (1n << 63n) - 1n

const ALL_STEPS = { first: 0, count: Number.MAX_SAFE_INTEGER }

/** Dependencies that all messages share. */
export interface WasmChain {
  readonly id: number
  readonly hardfork: HardforkName
  readonly codeSizeLimit: number
  /** Whether what stands for the signature of an account without a key counts as one. */
  readonly impersonates: boolean
  /** What of the codes is compiled, instead of the default; for tests. */
  readonly compilation: Compilation | undefined
  readonly precompiles: readonly Address[]
  /** The number of each precompile by its address. */
  readonly numbers: ReadonlyMap<Address, number>
}

/** An instance of the engine and its state; it runs one message at a time. */
export class WasmMachine {
  readonly #chain: WasmChain
  readonly #instance: EngineInstance
  readonly #precompiles: Precompiles
  readonly #idle: IdleMachines<WasmMachine>
  /** The world of the last message; the next one is usually in the same block. */
  #world: WasmWorld | undefined
  /** Whether the instance's accounts and slots are those of that world at the end of the last message. */
  #isCurrent = false
  /** The version of the slots of that world, likewise. */
  #slotsVersion: symbol | undefined
  /** Why the last precompile failed; empty if it ran out of gas. */
  #precompileFailure = ''
  /** The message's calls of the console, from the first one on. */
  #console: ConsoleCollector | undefined

  private constructor(chain: WasmChain, idle: IdleMachines<WasmMachine>, instance: EngineInstance) {
    this.#chain = chain
    this.#idle = idle
    this.#instance = instance
    this.#precompiles = new Precompiles(chain.id, chain.hardfork, chain.impersonates)
    instance.writePrecompiles(chain.precompiles)
    instance.onConsoleCall = (input) => (this.#console ??= new ConsoleCollector()).add(input)
  }

  /**
   * @param idle - Takes the machine back after each message; one that threw may have stopped anywhere, and is dropped.
   * @param isWatched - Whether its messages have tracers.
   */
  static async create(chain: WasmChain, idle: IdleMachines<WasmMachine>, isWatched: boolean): Promise<WasmMachine> {
    const { hardfork, codeSizeLimit, compilation } = chain
    const instance = await (isWatched
      ? EngineInstance.createWatched(hardfork, codeSizeLimit)
      : EngineInstance.create(hardfork, codeSizeLimit))
    if (compilation) instance.compilation = compilation
    return new WasmMachine(chain, idle, instance)
  }

  /** Forgets the state and everything cached, for a machine that waits while others run. */
  letGo(): void {
    this.#world = undefined
    this.#isCurrent = false
    this.#instance.letGo()
  }

  /** As `Engine.run`. */
  run(
    state: WorldState,
    env: BlockEnv,
    message: Message,
    guard: ExecutionGuard,
    tracer: Tracer | undefined,
  ): MessageResult | Promise<MessageResult> {
    if (tracer) this.#attachTracer(message, tracer)
    const pending = this.#start(state, env, message) ? this.#advance(guard) : undefined
    return pending ? this.#runOn(pending, message, guard) : this.#finish(message)
  }

  async #runOn(first: Promise<boolean>, message: Message, guard: ExecutionGuard): Promise<MessageResult> {
    let pending: Promise<boolean> | undefined = first
    while (pending && (await pending)) pending = this.#advance(guard)
    return this.#finish(message)
  }

  /** Attaches a tracer for one message. */
  #attachTracer({ refund = 0n }: Message, tracer: Tracer): void {
    const traced = { hardfork: this.#chain.hardfork, refund, precompileFailure: () => this.#precompileFailure }
    this.#instance.watcher = new WasmTracing(this.#instance, traced, tracer)
    const { first, count } = tracer.window ?? ALL_STEPS
    const kind = tracer.record ? TELL.record : tracer.onlyNewUses ? TELL.newUses : TELL.steps
    this.#instance.exports.startTelling(kind, BigInt(first), tracer.step ? BigInt(count) : 0n)
  }

  /** @returns Whether there is code to run. */
  #start(state: WorldState, env: BlockEnv, message: Message): boolean {
    const { exports, memory } = this.#instance
    const { to, input, gas } = message
    invariant(gas <= MAX_GAS, 'a message has more gas than the engine can count')
    this.#precompileFailure = ''
    this.#console = undefined
    this.#enter(state, env)
    const inputAt = exports.prepare(input.length)
    memory.bytes.set(input, inputAt)
    this.#instance.writeMessage(message)
    if (message.warmAddresses.length + message.warmSlots.length > 0) this.#warm(message)
    if (to === null) return exports.create(inputAt, input.length, gas) !== 0
    this.#instance.writeTarget(to)
    return exports.call(inputAt, input.length, gas) !== 0
  }

  /** Updates the instance's knowledge of the state and the block. */
  #enter(state: WorldState, env: BlockEnv): void {
    const instance = this.#instance
    const last = this.#world
    // On another state the host is asked again, as on this one, and most of its answers are the same.
    const isKnown = this.#isCurrent && last?.env.precompiles === env.precompiles
    if (!isKnown || instance.exports.isFull() !== 0) instance.forget()
    const { slotsVersion } = state
    if (slotsVersion === undefined || slotsVersion !== this.#slotsVersion) instance.exports.renewSlots()
    this.#slotsVersion = slotsVersion
    this.#isCurrent = false
    if (last?.state === state && last.env === env) return
    this.#world = new WasmWorld(state, env, this.#chain.numbers)
    instance.host = this.#world
    if (last?.env !== env) {
      instance.writeBlock({ ...env, chainId: this.#chain.id, blobBaseFee: env.blobBaseFee ?? 1n })
    }
  }

  #warm({ warmAddresses, warmSlots }: Message): void {
    const instance = this.#instance
    for (const address of warmAddresses) {
      instance.writeTarget(address)
      instance.exports.warmTarget()
    }
    for (const { address, slot } of warmSlots) {
      instance.writeTarget(address)
      instance.writeSlotKey(slot)
      instance.exports.warmTarget()
      instance.exports.warmTargetSlot()
    }
  }

  /**
   * Runs the message until it ends or has to wait.
   *
   * @returns A promise to wait for, which says whether there is more to run; `undefined` if the message has ended.
   */
  #advance(guard: ExecutionGuard): Promise<boolean> | undefined {
    for (;;) {
      const answer = this.#instance.run(GAS_PER_CHECKPOINT)
      if (answer === RUN.done) return undefined
      if (answer === RUN.precompile) {
        const goesOn = this.#runPrecompile(guard)
        if (typeof goesOn !== 'boolean') return goesOn
        if (goesOn) continue
        return undefined
      }
      const pause = guard.checkpoint()
      if (pause) return pause.then(() => true)
    }
  }

  /**
   * Runs the precompile that the engine waits for.
   *
   * @returns Whether there is more to run.
   */
  #runPrecompile(guard: ExecutionGuard): boolean | Promise<boolean> {
    const { exports, memory } = this.#instance
    const gas = exports.gasLeft()
    // The engine's memory stays as it is until the precompile has ended.
    const input = memory.part(exports.precompileInputAt(), exports.precompileInputSize())
    const result = this.#precompiles.run(exports.precompile(), input, gas, guard)
    return result instanceof Promise
      ? result.then((late) => this.#endPrecompile(late, gas))
      : this.#endPrecompile(result, gas)
  }

  #endPrecompile(result: PrecompileResult, gas: bigint): boolean {
    const { exports, memory } = this.#instance
    this.#precompileFailure = result.failure ?? ''
    if (result.failure !== undefined) return exports.endPrecompile(0, 0n) !== 0
    const outputAt = exports.reserveReturnData(result.output.length)
    memory.bytes.set(result.output, outputAt)
    return exports.endPrecompile(1, gas - result.gasUsed) !== 0
  }

  #finish({ gas, to, isTrial = false }: Message): MessageResult {
    const instance = this.#instance
    const { exports, memory } = instance
    const at = exports.finish(isTrial ? 0 : 1)
    const { view } = memory
    const outcome = view.getUint32(at + RESULT.outcome, true)
    const isSuccess = outcome === OUTCOME.succeeded
    const outputSize = view.getUint32(at + RESULT.outputSize, true)
    const state = this.#world?.state
    invariant(state, 'a message has run on no state')
    // A failed message and a trial have changed nothing.
    this.#isCurrent = !isSuccess || isTrial || this.#applyChanges(at, state)
    const result: MessageResult = {
      gasUsed: gas - view.getBigInt64(at + RESULT.gasLeft, true),
      refund: isSuccess ? view.getBigInt64(at + RESULT.refund, true) : 0n,
      logs: isSuccess && !isTrial ? readLogs(instance, at) : NO_LOGS,
      output: outputSize === 0 ? EMPTY_BYTES : memory.slice(view.getUint32(at + RESULT.output, true), outputSize),
      failure: isSuccess
        ? undefined
        : failureOf(outcome, view.getUint32(at + RESULT.reason, true), exports, this.#precompileFailure),
      contractAddress: isSuccess && to === null ? memory.readAddress(view.getUint32(at + RESULT.created, true)) : null,
      consoleCalls: this.#console?.calls(),
    }
    if (memory.bytes.length <= MAX_BYTES) this.#idle.giveBack(this)
    return result
  }

  /** @returns Whether the instance's accounts and slots are those of the state. */
  #applyChanges(result: number, state: WorldState): boolean {
    const isAlone = state.slotsVersion === this.#slotsVersion
    const isKept = applyChanges(this.#instance, result, state)
    this.#slotsVersion = isAlone ? state.slotsVersion : undefined
    return isKept
  }
}
