import { type Address, bytesToHex, type Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { keccak256Hex } from '../../crypto/keccak.ts'
import type { StateReader } from '../../state/state-reader.ts'
import type { Execution } from '../message.ts'
import type { ExecutionWatcher, FrameExit, FrameStart, TraceStart, TransactionTracer } from '../tracer.ts'
import { delegateOf } from '../transactions/authorization.ts'
import type { CodeCounts, ExecutionCounts, GasCounts } from './execution-counts.ts'
import { FrameHits } from './frame-hits.ts'

/** Most codes that are counted, and the most bytes of them together: each byte takes eight more. */
const MAX_CODES = 4_096
const MAX_CODE_BYTES = 32 << 20
/** Most rows of gas, and the most different amounts in each; least and most are right beyond it. */
const MAX_GAS_ROWS = 8_192
const MAX_AMOUNTS = 4_096
const OP = { JUMPI: 0x57, JUMPDEST: 0x5b, PUSH0: 0x5f, PUSH32: 0x7f } as const

/** A code, and what of it was executed. */
export class CountedCode {
  readonly bytes: Uint8Array
  readonly isCreation: boolean
  readonly hash: Hash
  /** How often the step at each offset ran, in frames that were kept and in those that were not. */
  readonly kept: Uint32Array
  readonly undone: Uint32Array
  /** How often each JUMPI before a JUMPDEST has not jumped; that of others is how often the step after it ran. */
  readonly passed = new Map<number, number>()
  /** 1 at each JUMPI, 2 at one before a JUMPDEST. */
  readonly jumps: Uint8Array
  /** Arrays of zeros for frames to count in. */
  readonly spare: Uint32Array[] = []

  constructor(bytes: Uint8Array, isCreation: boolean, hash: Hash) {
    this.bytes = bytes
    this.isCreation = isCreation
    this.hash = hash
    this.kept = new Uint32Array(bytes.length)
    this.undone = new Uint32Array(bytes.length)
    this.jumps = jumpsIn(bytes)
  }
}

function jumpsIn(bytes: Uint8Array): Uint8Array {
  const jumps = new Uint8Array(bytes.length)
  for (let pc = 0; pc < bytes.length; pc++) {
    const opcode = bytes[pc] as number
    if (opcode === OP.JUMPI) jumps[pc] = bytes[pc + 1] === OP.JUMPDEST ? 2 : 1
    else if (opcode > OP.PUSH0 && opcode <= OP.PUSH32) pc += opcode - OP.PUSH0
  }
  return jumps
}

/**
 * Counts which steps of which code transactions and calls execute, and what transactions cost. Kept by the host of a node,
 * which reads it; a node without one has nothing to count with.
 */
export class ExecutedCode implements ExecutionWatcher {
  /**
   * What the chain goes through meanwhile, in the host's words: gas is told apart by it. `undefined`: nothing counts, as
   * where the host only tries out what might happen.
   */
  history: string | undefined = ''
  readonly #codes = new Map<string, CountedCode>()
  readonly #gas = new Map<string, { row: Omit<GasCounts, 'amounts'>; amounts: Map<number, number> }>()
  #bytes = 0
  #leftOut = 0

  /** Watches one execution; what it does counts once it has ended. */
  watch(isTransaction = false): TransactionTracer {
    return new ExecutionWatch(this, isTransaction)
  }

  /** @returns `undefined` where there are too many, or nothing counts. */
  codeOf(bytes: Uint8Array, isCreation: boolean, hash: Hash): CountedCode | undefined {
    if (this.history === undefined) return undefined
    const key = `${isCreation ? 'creation' : 'runtime'} ${hash}`
    const known = this.#codes.get(key)
    if (known) return known
    if (this.#codes.size === MAX_CODES || this.#bytes + bytes.length > MAX_CODE_BYTES) {
      this.#leftOut++
      return undefined
    }
    const made = new CountedCode(bytes, isCreation, hash)
    this.#codes.set(key, made)
    this.#bytes += bytes.length
    return made
  }

  addGas(row: Omit<GasCounts, 'amounts' | 'history'>, amount: number): void {
    const { history } = this
    if (history === undefined) return
    const key = [row.code, row.isCreation, row.implementation, row.selector, row.isFailed, history].join()
    let known = this.#gas.get(key)
    if (!known) {
      if (this.#gas.size === MAX_GAS_ROWS) {
        this.#leftOut++
        return
      }
      this.#gas.set(key, (known = { row: { ...row, history }, amounts: new Map() }))
    }
    const { amounts } = known
    const times = amounts.get(amount)
    if (times !== undefined || amounts.size < MAX_AMOUNTS) amounts.set(amount, (times ?? 0) + 1)
    else this.#leftOut++
  }

  /** What was counted since the last call. */
  take(): ExecutionCounts {
    const codes = [...this.#codes.values()].map(countsOf)
    const gas = [...this.#gas.values()].map(({ row, amounts }) => ({ ...row, amounts: [...amounts].flat() }))
    const taken = { codes, gas, leftOut: this.#leftOut }
    this.#codes.clear()
    this.#gas.clear()
    this.#bytes = 0
    this.#leftOut = 0
    return taken
  }
}

function countsOf({ bytes, isCreation, hash, kept, undone, passed }: CountedCode): CodeCounts {
  return {
    hash,
    code: bytesToHex(bytes),
    isCreation,
    kept: pairsOf(kept),
    undone: pairsOf(undone),
    passed: [...passed].flat(),
  }
}

/** The offsets that are not 0, each with its count. */
function pairsOf(counts: Uint32Array): number[] {
  const pairs: number[] = []
  for (let pc = 0; pc < counts.length; pc++) {
    const count = counts[pc] as number
    if (count > 0) pairs.push(pc, count)
  }
  return pairs
}

interface OpenFrame {
  readonly start: FrameStart
  /** What ran in it and in the frames below it that have ended, by code. */
  readonly hits: Map<CountedCode, FrameHits>
  /** The code that it runs: `null` before its first step, `undefined` if that is not counted. */
  code: CountedCode | null | undefined
}

/** Watches one transaction or call. */
class ExecutionWatch implements TransactionTracer {
  readonly withoutMemory = true
  readonly withoutReturnData = true
  readonly #counted: ExecutedCode
  readonly #isTransaction: boolean
  readonly #frames: OpenFrame[] = []
  /** Codes of contracts that it has made. */
  readonly #made = new Map<Address, Uint8Array>()
  #start: TraceStart | undefined
  #done: OpenFrame | undefined
  /** What ran in frames that failed. */
  readonly #undone = new Map<CountedCode, FrameHits>()
  /** The code that the called contract runs in its place with the same input, as a proxy does. */
  #implementation: CountedCode | undefined

  constructor(counted: ExecutedCode, isTransaction: boolean) {
    this.#counted = counted
    this.#isTransaction = isTransaction
  }

  begin(start: TraceStart): void {
    this.#start = start
  }

  enter(start: FrameStart): void {
    this.#frames.push({ start, hits: new Map(), code: null })
  }

  record(pcs: Uint8Array): void {
    const frame = this.#frames.at(-1)
    invariant(frame, 'steps are in a frame')
    if (frame.code === null) frame.code = this.#codeOf(frame.start)
    const { code, hits } = frame
    if (!code) return
    let own = hits.get(code)
    if (!own) hits.set(code, (own = new FrameHits(code, this.#frames.length)))
    own.add(pcs)
  }

  exit({ output, failure }: FrameExit): void {
    const frame = this.#frames.pop()
    invariant(frame, 'a frame ends that began')
    const { start, code, hits } = frame
    if (code) hits.get(code)?.end(failure?.kind === 'halted')
    if (!failure && creates(start)) this.#made.set(start.to, output)
    const parent = this.#frames.at(-1)
    if (this.#frames.length === 1 && parent && start.type === 'DELEGATECALL' && code)
      this.#noticeProxy(parent, start, code)
    if (parent || failure) addHits(failure || !parent ? this.#undone : parent.hits, hits)
    if (!parent) this.#done = frame
    if (!parent && failure) hits.clear()
  }

  end({ gasUsed, failure }: Execution): void {
    for (const [code, hits] of this.#undone) hits.addTo(code.undone, code.passed)
    for (const [code, hits] of this.#done?.hits ?? []) hits.addTo(code.kept, code.passed)
    if (!this.#isTransaction || !this.#done) return
    const { start } = this.#done
    const code = this.#done.code
    if (!code) return
    this.#counted.addGas(
      {
        code: code.hash,
        isCreation: code.isCreation,
        implementation: this.#implementation?.hash ?? null,
        selector: creates(start) ? '0x' : bytesToHex(start.input.subarray(0, 4)),
        isFailed: failure !== undefined,
      },
      Number(gasUsed),
    )
  }

  #noticeProxy({ start: { input } }: OpenFrame, start: FrameStart, code: CountedCode): void {
    const isSame =
      input.length >= 4 && input.length === start.input.length && [0, 1, 2, 3].every((i) => input[i] === start.input[i])
    if (isSame) this.#implementation ??= code
  }

  #codeOf(start: FrameStart): CountedCode | undefined {
    if (creates(start)) return this.#counted.codeOf(start.input.slice(), true, keccak256Hex(start.input))
    const made = this.#made.get(start.to)
    if (made) return this.#counted.codeOf(made, false, keccak256Hex(made))
    const state = this.#start?.state
    invariant(state, 'an execution begins')
    const { bytes, hash } = runningCode(state, start.to)
    return bytes.length === 0 || hash === undefined ? undefined : this.#counted.codeOf(bytes, false, hash)
  }
}

function creates({ type }: FrameStart): boolean {
  return type === 'CREATE' || type === 'CREATE2'
}

/** The code that a call of an account runs: that of its delegate, if it has one. */
function runningCode(state: StateReader, address: Address): { bytes: Uint8Array; hash: Hash | undefined } {
  const code = state.code(address)
  const delegate = delegateOf(code)
  const bytes = delegate === undefined ? code : state.code(delegate)
  return { bytes, hash: bytes.length === 0 ? undefined : state.account(delegate ?? address)?.codeHash }
}

function addHits(to: Map<CountedCode, FrameHits>, from: ReadonlyMap<CountedCode, FrameHits>): void {
  for (const [code, hits] of from) {
    const known = to.get(code)
    if (known) known.addAll(hits)
    else to.set(code, hits)
  }
}
