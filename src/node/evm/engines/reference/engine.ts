import type { Common } from '@ethereumjs/common'
import type { Message as EthereumjsMessage, EVM, EVMResult, PrecompileFunc } from '@ethereumjs/evm'
import { Address as EthereumjsAddress } from '@ethereumjs/util'
import { type Address, bytesToHex, hexToBytes, toWord } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { CONSOLE_ADDRESS } from '#rpc-types/console.ts'
import { MAX_CODE_BYTES } from '../../../spec/gas-schedule.ts'
import { type HardforkName, isSince, NEWEST_HARDFORK } from '../../../spec/rules.ts'
import type { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import type { BlockEnv } from '../../block-env.ts'
import { ConsoleCollector } from '../../console-calls.ts'
import type { Engine } from '../../engine.ts'
import { failureOf } from '../../ethereumjs-failure.ts'
import type { EngineLog, Message, MessageResult } from '../../message.ts'
import { Curves } from '../../precompiles/curves.ts'
import { Deferral } from '../../precompiles/deferral.ts'
import { createDeferringEvm } from '../../precompiles/deferred-curves.ts'
import { createCommon } from '../../precompiles/ethereumjs-common.ts'
import { pacedPrecompiles } from '../../precompiles/paced-precompiles.ts'
import type { Rollup } from '../../rollup.ts'
import type { Tracer } from '../../tracer.ts'
import { delegateOf } from '../../transactions/authorization.ts'
import { type EvmPace, PacedSteps, pacedJumpdest } from './pacing.ts'
import { EthereumjsState } from './state.ts'
import { attachTracer } from './tracing.ts'

/**
 * The engine based on @ethereumjs/evm, with one EVM instance per message that runs at the same time.
 *
 * @param chainId - The value of CHAINID, also for authorizations.
 * @param codeSizeLimit - The most bytes of a contract's code; initcode may have twice as many.
 * @param impersonates - Whether what stands for the signature of an account without a key counts as one.
 */
export async function createEthereumjsEngine(
  chainId: number,
  hardfork: HardforkName = NEWEST_HARDFORK,
  codeSizeLimit: number = MAX_CODE_BYTES,
  impersonates = false,
  rollup?: Rollup,
): Promise<Engine> {
  const common = createCommon(chainId, hardfork)
  const create = () => Machine.create(hardfork, common, codeSizeLimit, impersonates)
  const idle: Machine[] = [await create()]
  return {
    hardfork,
    codeSizeLimit,
    precompiles: (idle[0] as Machine).precompiles,
    rollup,
    async run(state, env, message, guard, tracer) {
      const machine = idle.pop() ?? (await create())
      const result = await machine.run(state, env, message, guard, tracer)
      // A machine that threw is not reused: its journal may hold anything.
      idle.push(machine)
      return result
    },
  }
}

/** One EVM instance with its state adapter. */
class Machine {
  readonly #hardfork: HardforkName
  readonly #codeSizeLimit: number
  readonly #evm: EVM
  readonly #state: EthereumjsState
  readonly #running: Running
  readonly #steps: PacedSteps
  /** By the hex digits of their addresses. */
  readonly #precompiles: ReadonlyMap<string, PrecompileFunc>
  readonly precompiles: ReadonlySet<Address>

  private constructor(
    hardfork: HardforkName,
    codeSizeLimit: number,
    evm: EVM,
    state: EthereumjsState,
    running: Running,
    deferral: Deferral,
    curves: Curves,
    impersonates: boolean,
  ) {
    this.#hardfork = hardfork
    this.#codeSizeLimit = codeSizeLimit
    this.#evm = evm
    this.#state = state
    this.#running = running
    this.#steps = new PacedSteps(evm, running)
    this.#precompiles = pacedPrecompiles(evm.precompiles, deferral, curves, running, impersonates)
    this.#restorePrecompiles()
    this.precompiles = new Set([...evm.precompiles.keys()].map((digits): Address => `0x${digits}`))
  }

  static async create(
    hardfork: HardforkName,
    common: Common,
    codeSizeLimit: number,
    impersonates: boolean,
  ): Promise<Machine> {
    const state = new EthereumjsState()
    const running: Running = { guard: undefined, env: undefined, jumps: 0, gasLeft: 0n }
    const deferral = new Deferral()
    const curves = new Curves()
    const evm = await createDeferringEvm(
      {
        // A copy: `createEVM` adds its parameters to the instance.
        common: common.copy(),
        stateManager: state,
        blockchain: createBlockchain(running),
        customOpcodes: [pacedJumpdest(running)],
      },
      deferral,
      curves,
    )
    evm.common.updateParams({ 607: { maxCodeSize: codeSizeLimit }, 3860: { maxInitCodeSize: 2 * codeSizeLimit } })
    return new Machine(hardfork, codeSizeLimit, evm, state, running, deferral, curves, impersonates)
  }

  async run(
    state: WorldState,
    env: BlockEnv,
    message: Message,
    guard: ExecutionGuard,
    tracer: Tracer | undefined,
  ): Promise<MessageResult> {
    const evm = this.#evm
    this.#state.attach(state, guard, (code) => this.#steps.expect(code))
    this.#steps.reset()
    this.#running.guard = guard
    this.#running.env = env
    this.#running.jumps = 0
    this.#running.gasLeft = message.gas
    const detachTracer =
      tracer &&
      attachTracer(
        evm,
        { hardfork: this.#hardfork, codeSizeLimit: this.#codeSizeLimit, state, guard, refund: message.refund ?? 0n },
        tracer,
      )
    if (env.precompiles) this.#movePrecompiles(env.precompiles)
    const console = new ConsoleCollector()
    const watchConsole = (inner: EthereumjsMessage) => {
      // A creation has no address of code, and throws where it is asked for one.
      if (inner.depth === 0 || !inner.to || inner.codeAddress.toString() !== CONSOLE_ADDRESS) return
      const isThere = evm.precompiles.has(digitsOf(CONSOLE_ADDRESS)) || state.code(CONSOLE_ADDRESS).length > 0
      if (!isThere) console.add(inner.data)
    }
    evm.events.on('beforeMessage', watchConsole)
    try {
      for (const address of this.precompiles) evm.journal.addAlwaysWarmAddress(address)
      for (const address of warmFromTheStart(this.#hardfork, state, env, message))
        evm.journal.addAlwaysWarmAddress(address)
      for (const { address, slot } of message.warmSlots) evm.journal.addAlwaysWarmSlot(address, slot)
      const result = await evm.runCall({
        block: toEthereumjsBlock(env),
        caller: toEthereumjsAddress(message.from),
        ...(message.to === null ? {} : { to: toEthereumjsAddress(message.to) }),
        gasLimit: message.gas,
        gasPrice: message.gasPrice,
        value: message.value,
        data: message.input,
        ...(message.blobHashes && { blobVersionedHashes: [...message.blobHashes] }),
        skipNonceIncrement: true,
      })
      for (const address of selfDestructed(result)) await evm.journal.deleteAccount(toEthereumjsAddress(address))
      await evm.journal.cleanup()
      evm.transientStorage.clear()
      return { ...toMessageResult(result, message), consoleCalls: console.calls() }
    } finally {
      evm.events.off('beforeMessage', watchConsole)
      detachTracer?.()
      if (env.precompiles) this.#restorePrecompiles()
      this.#state.detach()
      this.#running.guard = undefined
      this.#running.env = undefined
    }
  }

  /** @param places - The address of each precompile; the others are removed. */
  #movePrecompiles(places: ReadonlyMap<Address, Address>): void {
    this.#evm.precompiles.clear()
    for (const [place, precompile] of places) {
      const run = this.#precompiles.get(digitsOf(precompile))
      invariant(run, `${precompile} is not a precompile`)
      this.#evm.precompiles.set(digitsOf(place), run)
    }
  }

  #restorePrecompiles(): void {
    this.#evm.precompiles.clear()
    for (const [digits, run] of this.#precompiles) this.#evm.precompiles.set(digits, run)
  }
}

/** Values of the running message for which the EVM has no parameter. */
interface Running extends EvmPace {
  env: BlockEnv | undefined
}

/** Addresses that EIP-2929, 2930, 3651 and 7702 make warm before the first step. */
function warmFromTheStart(
  hardfork: HardforkName,
  state: WorldState,
  env: BlockEnv,
  { from, to, warmAddresses }: Message,
): Address[] {
  const warm = [from, env.coinbase, ...warmAddresses]
  if (to === null) return warm
  const delegate = isSince(hardfork, 'Prague') ? delegateOf(state.code(to)) : undefined
  return delegate ? [...warm, to, delegate] : [...warm, to]
}

function createBlockchain(running: Running) {
  const blockchain = {
    async getBlock(number: number) {
      // There is no hash if a call overrides the block number with a far later one.
      const hash = running.env?.blockHash(number) ?? toWord(0)
      return { hash: () => hexToBytes(hash) }
    },
    async putBlock() {},
    shallowCopy: () => blockchain,
  }
  return blockchain
}

/** Accounts that were created and self-destructed in the same transaction (EIP-6780). */
function selfDestructed({ execResult }: EVMResult): Address[] {
  const created = execResult.createdAddresses
  return [...(execResult.selfdestruct?.keys() ?? [])].filter((address) => created?.has(address))
}

function toMessageResult({ execResult, createdAddress }: EVMResult, message: Message): MessageResult {
  const { exceptionError } = execResult
  return {
    gasUsed: execResult.executionGasUsed,
    refund: exceptionError ? 0n : (execResult.gasRefund ?? 0n),
    logs: exceptionError || message.isTrial ? [] : (execResult.logs ?? []).map(toEngineLog),
    output: execResult.returnValue,
    failure: failureOf(execResult),
    contractAddress: message.to === null && createdAddress && !exceptionError ? toAddress(createdAddress) : null,
  }
}

function toEngineLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): EngineLog {
  return { address: bytesToHex(address), topics: topics.map(bytesToHex), data }
}

function toEthereumjsBlock(env: BlockEnv) {
  return {
    header: {
      number: BigInt(env.number),
      coinbase: toEthereumjsAddress(env.coinbase),
      timestamp: BigInt(env.timestamp),
      difficulty: 0n,
      prevRandao: hexToBytes(env.prevRandao),
      gasLimit: env.gasLimit,
      baseFeePerGas: env.baseFee,
      getBlobGasPrice: () => env.blobBaseFee ?? 1n,
    },
  }
}

const toEthereumjsAddress = (address: Address) => new EthereumjsAddress(hexToBytes(address))
const digitsOf = (address: Address) => address.slice(2)
const toAddress = (address: EthereumjsAddress): Address => bytesToHex(address.bytes)
