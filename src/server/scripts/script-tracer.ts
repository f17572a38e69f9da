import { create2Address, createdAddress } from '#node/evm/contract-address.ts'
import type { Execution } from '#node/evm/message.ts'
import type { FrameExit, FrameStart, TraceStart, TraceStep, TransactionTracer } from '#node/evm/tracer.ts'
import { RpcRefusedError } from '#node/rpc/errors.ts'
import type { TraceSubject } from '#node/rpc/tracers/create-tracer.ts'
import type { ResultTracer } from '#node/rpc/tracers/result-tracer.ts'
import type { ScriptTracers, TracerScript } from '#node/rpc/tracers/script-tracers.ts'
import type { TraceBudget } from '#node/rpc/tracers/trace-budget.ts'
import { bytesToBigInt, EMPTY_BYTES } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'
import { shorten } from '#primitives/shorten.ts'
import type { RpcTrace } from '#rpc-types/methods/debug.ts'
import { SCRIPT_PRELUDE } from './script-prelude.ts'
import { type Sandboxes, ScriptError, type ScriptSandbox, type ScriptValue } from './script-sandbox.ts'

/** Zeros that a script may read beyond the memory, in bytes. */
const MAX_PADDING = 1 << 20

/** Words on top of the stack that a script is told with each step. */
const TOLD_WORDS = 4

/** The functions of a script, as the prelude calls them. */
const CALLBACKS = { step: 'hostStep', fault: 'hostFault', enter: 'hostEnter', exit: 'hostExit' } as const

/** A frame as its code sees it. */
interface OpenFrame {
  readonly caller: Address
  readonly value: bigint
  readonly input: Uint8Array
  /** The newest step of the frame. */
  step: TraceStep | undefined
}

/** Which functions a script has besides `result` and `fault`. */
interface Abilities {
  readonly step: boolean
  readonly frames: boolean
}

/**
 * Geth's tracers in JavaScript: calls the functions of a script as code runs.
 *
 * @see {@link https://geth.ethereum.org/docs/developers/evm-tracing/custom-tracer | Geth's documents}
 */
export function scriptTracers(sandboxes: Sandboxes): ScriptTracers {
  return { create: (script, subject, budget) => new ScriptTracer(script, subject, sandboxes, budget) }
}

class ScriptTracer implements TransactionTracer, ResultTracer<RpcTrace> {
  readonly withoutReturnData = true
  readonly #source: string
  readonly #config: string
  readonly #subject: TraceSubject
  readonly #sandboxes: Sandboxes
  readonly #budget: TraceBudget
  readonly #open: OpenFrame[] = []
  #script: ScriptSandbox | undefined
  #has: Abilities = { step: false, frames: false }
  #start: TraceStart | undefined
  #step: TraceStep | undefined
  #error: string | undefined
  #entered: FrameStart | undefined
  #left: FrameExit | undefined
  #top: { readonly frame: FrameStart; exit?: FrameExit } | undefined
  #result: RpcTrace | RpcRefusedError | undefined

  constructor({ source, config }: TracerScript, subject: TraceSubject, sandboxes: Sandboxes, budget: TraceBudget) {
    this.#source = source
    this.#config = config
    this.#subject = subject
    this.#sandboxes = sandboxes
    this.#budget = budget
  }

  begin(start: TraceStart): void {
    this.#start = start
    const script = this.#in('tracer', () => this.#sandboxes.open())
    this.#script = script
    script.define('hostGet', (what) => this.#get(String(what)))
    script.define('hostBytes', (what) => this.#bytes(String(what)))
    script.define('hostPeek', (index) => this.#peek(Number(index)))
    script.define('hostMemory', (begin, end) => this.#memory(Number(begin), Number(end)))
    script.define('hostWord', (at) => this.#word(Number(at)))
    script.define('hostState', (what, address, slot) => this.#state(String(what), address as Address, slot as Hash))
    script.define('hostCreated', (from, nonce) => hexToBytes(createdAddress(from as Address, toNonce(nonce))))
    script.define('hostCreated2', (from, salt, code) =>
      hexToBytes(create2Address(from as Address, hexToBytes(salt as Hex), hexToBytes(code as Hex))),
    )
    script.define('hostIsPrecompiled', (address) => this.#subject.precompiles.has(address as Address))
    script.run(SCRIPT_PRELUDE)
    this.#in('tracer', () => script.run(`hostTracer = (${this.#source}\n)`))
    this.#has = JSON.parse(this.#in('setup', () => script.call('hostBegin', this.#config)) ?? '{}') as Abilities
  }

  enter(frame: FrameStart): void {
    const parent = this.#open.at(-1)
    const isDelegate = frame.type === 'DELEGATECALL' && parent !== undefined
    this.#open.push({
      caller: isDelegate ? parent.caller : frame.from,
      value: isDelegate ? parent.value : (frame.value ?? 0n),
      input: frame.type === 'CREATE' || frame.type === 'CREATE2' ? EMPTY_BYTES : frame.input,
      step: undefined,
    })
    if (frame.depth === 0) {
      this.#top = { frame }
      return
    }
    if (!this.#has.frames) return
    this.#entered = frame
    this.#callback('enter')
  }

  step(step: TraceStep): void {
    const frame = this.#open.at(-1) as OpenFrame
    frame.step = step
    this.#step = step
    this.#error = undefined
    // Why it fails is known at the end of its frame, which comes next.
    if (!step.fails && this.#has.step) this.#callback('step')
  }

  exit(exit: FrameExit): void {
    const { depth, failure } = exit
    const step = this.#open.at(-1)?.step
    if (step && failure) this.#fail(step, failure.message)
    this.#open.pop()
    if (depth === 0) {
      if (this.#top) this.#top.exit = exit
      return
    }
    if (!this.#has.frames) return
    this.#left = exit
    this.#callback('exit')
  }

  /** The step with which a frame has failed: one that could not begin is a step, any other a fault as well. */
  #fail(step: TraceStep, message: string): void {
    this.#step = step
    this.#error = message
    if (step.fails) {
      if (this.#has.step) this.#callback('step')
    } else if (!isAboutNewCode(message)) this.#callback('fault')
  }

  end({ gasUsed }: Execution): void {
    try {
      this.#result = this.#resultOf(gasUsed)
    } catch (error) {
      if (!(error instanceof RpcRefusedError)) throw error
      this.#result = error
    } finally {
      this.#script?.close()
      this.#script = undefined
    }
  }

  #resultOf(gasUsed: bigint): RpcTrace {
    const [start, top, script] = [this.#start, this.#top, this.#script]
    if (!start || !top || !script) throw new RpcRefusedError('server', 'incorrect number of top-level calls')
    const { env, message } = start
    const { from, to, type, input, value = 0n } = top.frame
    const { blockHash, transactionHash, transactionPosition } = this.#subject
    const tip = message.gasPrice - (env.baseFee ?? 0n)
    const context = JSON.stringify({
      type: type === 'CREATE' ? 'CREATE' : 'CALL',
      from,
      to,
      input: bytesToHex(input),
      value: String(value),
      gas: Number(message.gas),
      gasUsed: Number(gasUsed),
      gasPrice: String(tip > 0n ? tip : 0n),
      block: env.number,
      coinbase: env.coinbase,
      output: bytesToHex(top.exit?.output ?? EMPTY_BYTES),
      error: top.exit?.failure?.message,
      ...(blockHash !== null && { blockHash }),
      ...(blockHash !== null && transactionHash !== null && { txHash: transactionHash, txIndex: transactionPosition }),
    })
    const text = this.#in('result', () => script.call('hostEnd', context)) ?? 'null'
    this.#budget.spend(text.length)
    return JSON.parse(text) as RpcTrace
  }

  result(): RpcTrace {
    if (this.#result instanceof RpcRefusedError) throw this.#result
    return this.#result as RpcTrace
  }

  #callback(name: keyof typeof CALLBACKS): void {
    const step = name === 'step' || name === 'fault' ? this.#step : undefined
    this.#in(name, () => this.#script?.call(CALLBACKS[name], step && textOf(step)))
  }

  /** @throws {RpcRefusedError} `server`, with the message of what the script throws. */
  #in<Result>(name: string, work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error
      const place = name === 'tracer' || name === 'setup' ? '' : `    in server-side tracer function '${name}'`
      throw new RpcRefusedError('server', `${shorten(error.message)}${place}`, { cause: error })
    }
  }

  #get(what: string): ScriptValue {
    const [step, entered, left] = [this.#step, this.#entered, this.#left]
    switch (what) {
      case 'error':
        return this.#error
      case 'op':
        return step?.op
      case 'value':
        return this.#open.at(-1)?.value.toString()
      case 'frameType':
        return entered?.type
      case 'frameGas':
        return Number(entered?.gas)
      case 'frameValue':
        return entered?.value?.toString()
      case 'frameGasUsed':
        return Number(left?.gasUsed)
      case 'frameError':
        return left?.failure?.message
      default:
        return undefined
    }
  }

  #bytes(what: string): Uint8Array {
    const frame = this.#open.at(-1)
    switch (what) {
      case 'caller':
        return addressBytes(frame?.caller)
      case 'address':
        return addressBytes(this.#step?.address)
      case 'input':
        return frame?.input ?? EMPTY_BYTES
      case 'frameFrom':
        return addressBytes(this.#entered?.from)
      case 'frameTo':
        return addressBytes(this.#entered?.to)
      case 'frameInput':
        return this.#entered?.input ?? EMPTY_BYTES
      case 'frameOutput':
        return this.#left?.output ?? EMPTY_BYTES
      default:
        return EMPTY_BYTES
    }
  }

  #peek(index: number): string {
    const stack = this.#step?.stack ?? []
    const word = stack[stack.length - 1 - index]
    if (word === undefined) {
      throw new ScriptError(`tracer accessed out of bound stack: size ${stack.length}, index ${index}`)
    }
    return `0x${word.toString(16)}`
  }

  #memory(begin: number, end: number): Uint8Array {
    const memory = this.#step?.memory ?? EMPTY_BYTES
    if (begin === end) return EMPTY_BYTES
    if (!(end >= begin && begin >= 0)) {
      throw new ScriptError(`tracer accessed out of bound memory: offset ${begin}, end ${end}`)
    }
    const missing = end - memory.length
    if (missing > MAX_PADDING) throw new ScriptError(`reached limit for padding memory slice: ${missing}`)
    const bytes = new Uint8Array(end - begin)
    bytes.set(memory.subarray(begin, end))
    return bytes
  }

  #word(at: number): string {
    const memory = this.#step?.memory ?? EMPTY_BYTES
    if (!(at >= 0 && at + 32 <= memory.length)) {
      const what = `available ${memory.length}, offset ${at}, size 32`
      throw new ScriptError(`tracer accessed out of bound memory: ${what}`)
    }
    return bytesToBigInt(memory.subarray(at, at + 32)).toString()
  }

  #state(what: string, address: Address, slot: Hash): ScriptValue {
    const state = this.#start?.state
    const account = state?.account(address)
    switch (what) {
      case 'balance':
        return (account?.balance ?? 0n).toString()
      case 'nonce':
        return Number(account?.nonce ?? 0n)
      case 'code':
        return state?.code(address) ?? EMPTY_BYTES
      case 'slot':
        return wordOf(state?.storage(address, slot) ?? EMPTY_BYTES)
      default:
        return account !== undefined
    }
  }
}

/** What a script is most often asked for, in the order in which the prelude reads it. */
function textOf({ pc, gas, gasCost, depth, refund, opcode, stack, memory }: TraceStep): string {
  let text = `${pc} ${gas} ${gasCost} ${depth + 1} ${refund} ${opcode} ${stack.length} ${memory.length}`
  for (const word of stack.slice(-TOLD_WORDS).toReversed()) text += ` 0x${word.toString(16)}`
  return text
}

/** Failures of a creation whose last step has succeeded. */
function isAboutNewCode(message: string): boolean {
  return (
    message === 'contract creation code storage out of gas' ||
    message === 'max code size exceeded' ||
    message.startsWith('invalid code:')
  )
}

function addressBytes(address: Address | undefined): Uint8Array {
  return address === undefined ? EMPTY_BYTES : hexToBytes(address)
}

/** As Go reads a number of a script: what is none is 0. */
function toNonce(value: unknown): bigint {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? BigInt(value as number) : 0n
}

function wordOf(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes, 32 - bytes.length)
  return word
}
