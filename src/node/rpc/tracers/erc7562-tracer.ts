import { type Address, bytesToHex, type Hash, type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcCallLog, RpcErc7562Frame } from '#rpc-types/methods/debug.ts'
import type { EngineLog, Execution } from '../../evm/message.ts'
import { callsAccount, OP, usesSlot } from '../../evm/opcodes.ts'
import { stackAddress, stackMemory, stackWord } from '../../evm/trace-step.ts'
import type { FrameExit, FrameStart, TraceStart, TraceStep, TransactionTracer } from '../../evm/tracer.ts'
import { decodeRevertReason } from '../calls/revert-reason.ts'
import { CurrentCodes, createdBy } from './frame-codes.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

export interface Erc7562TracerConfig {
  readonly withLog: boolean
  /** Opcodes that `usedOpcodes` leaves out. */
  readonly ignoredOpcodes: ReadonlySet<number>
}

/**
 * The opcodes that geth leaves out if nobody says otherwise: those for the stack, and arithmetic without side effects.
 */
export const IGNORED_OPCODES: ReadonlySet<number> = new Set([
  // PUSH0 to SWAP16, POP.
  ...Array.from({ length: OP.SWAP16 - OP.PUSH0 + 1 }, (_, i) => OP.PUSH0 + i),
  0x50,
  // ADD, MUL, SUB, DIV.
  ...[0x01, 0x02, 0x03, 0x04],
  // LT, GT, SLT, SGT, EQ, ISZERO, AND, OR, NOT, SHL, SHR.
  ...[0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x19, 0x1b, 0x1c],
])

/** Approximate characters of a frame without its parts, of a log without data, and of an entry for a slot, an account or an opcode. */
const FRAME_CHARACTERS = 500
const LOG_CHARACTERS = 300
const ENTRY_CHARACTERS = { slot: 160, account: 100, opcode: 16 }

type Counts<Key extends string> = Partial<Record<Key, number>>

interface Frame {
  readonly start: FrameStart
  readonly input: Hex
  readonly gas: bigint
  readonly reads: Record<Hash, readonly Hash[]>
  readonly writes: Counts<Hash>
  readonly transientReads: Counts<Hash>
  readonly transientWrites: Counts<Hash>
  readonly extCodeAccessInfo: Address[]
  readonly usedOpcodes: Counts<Hex>
  readonly contractSize: Record<Address, { readonly contractSize: number; readonly opcode: number }>
  readonly calls: RpcErc7562Frame[]
  readonly logs: RpcCallLog[]
  /** Index of the next log at the start of the frame, restored if the frame fails. */
  readonly firstLogIndex: number
}

interface EndedFrame {
  readonly frame: Frame
  readonly exit: FrameExit
}

/**
 * Geth's `erc7562Tracer`: what the rules for user operations ask about (ERC-7562), frame by frame. Unlike geth's, it leaves
 * out what a step hashes that runs out of gas.
 *
 * @param firstLogIndex - Number of earlier logs in the block.
 * @see {@link https://eips.ethereum.org/EIPS/eip-7562 | ERC-7562}
 */
export function createErc7562Tracer(
  config: Erc7562TracerConfig,
  firstLogIndex: number,
  budget: TraceBudget,
): ResultTracer<RpcErc7562Frame> {
  return new Erc7562Tracer(config, firstLogIndex, budget)
}

class Erc7562Tracer implements TransactionTracer, ResultTracer<RpcErc7562Frame> {
  readonly withoutReturnData = true
  readonly #config: Erc7562TracerConfig
  readonly #budget: TraceBudget
  readonly #open: Frame[] = []
  readonly #preimages = new Set<Hex>()
  #codes: CurrentCodes | undefined
  /** Gas limit. */
  #gas = 0n
  #nextLogIndex: number
  /** The step before, of any frame, if what follows it matters: GAS, or what looks at code, with the account. */
  #last: { readonly opcode: number; readonly account: Address | undefined } | undefined
  #top: EndedFrame | undefined
  #gasUsed = 0n

  constructor(config: Erc7562TracerConfig, firstLogIndex: number, budget: TraceBudget) {
    this.#config = config
    this.#nextLogIndex = firstLogIndex
    this.#budget = budget
  }

  begin({ message, state }: TraceStart): void {
    this.#gas = message.gas
    this.#codes = new CurrentCodes(state)
  }

  readonly needsStep = (opcode: number): boolean =>
    this.#last !== undefined || !this.#config.ignoredOpcodes.has(opcode) || isWatched(opcode)

  readonly needsMemory = (opcode: number): boolean => opcode === OP.KECCAK256

  enter(start: FrameStart): void {
    this.#budget.spend(FRAME_CHARACTERS + 2 * start.input.length)
    this.#codes?.enter(createdBy(start))
    this.#open.push({
      start,
      input: bytesToHex(start.input),
      // For the transaction itself, all of its gas, including the intrinsic gas.
      gas: start.depth === 0 ? this.#gas : start.gas,
      reads: {},
      writes: {},
      transientReads: {},
      transientWrites: {},
      extCodeAccessInfo: [],
      usedOpcodes: {},
      contractSize: {},
      calls: [],
      logs: [],
      firstLogIndex: this.#nextLogIndex,
    })
  }

  step(step: TraceStep): void {
    const frame = this.#open.at(-1) as Frame
    const { opcode, stack } = step
    const last = opcode === OP.RETURN || opcode === OP.REVERT ? undefined : this.#last
    if (last?.account !== undefined && !(last.opcode === OP.EXTCODESIZE && opcode === OP.ISZERO)) {
      this.#budget.spend(ENTRY_CHARACTERS.account)
      frame.extCodeAccessInfo.push(last.account)
    }
    if (last?.opcode === OP.GAS && !callsAccount(opcode)) this.#count(frame, OP.GAS)
    if (opcode !== OP.GAS && !this.#config.ignoredOpcodes.has(opcode)) this.#count(frame, opcode)
    // A step without the words that it needs fails, and neither names a slot nor an account.
    const height = stack.length
    const looks = looksAtCode(opcode) && height > 0
    if (looks) this.#measureCode(frame, opcode, stackAddress(step, 0))
    else if (callsAccount(opcode) && height > 1) this.#measureCode(frame, opcode, stackAddress(step, 1))
    else if (usesAnySlot(opcode) && height > 0) this.#noteSlot(frame, step)
    else if (opcode === OP.KECCAK256 && !step.fails) this.#keepPreimage(step)
    this.#last = opcode === OP.GAS || looks ? { opcode, account: looks ? stackAddress(step, 0) : undefined } : undefined
  }

  #count({ usedOpcodes }: Frame, opcode: number): void {
    increment(usedOpcodes, toQuantity(opcode), () => this.#budget.spend(ENTRY_CHARACTERS.opcode))
  }

  #measureCode({ contractSize }: Frame, opcode: number, address: Address): void {
    if (contractSize[address] || !this.#codes) return
    this.#budget.spend(ENTRY_CHARACTERS.account)
    contractSize[address] = { contractSize: this.#codes.at(address).bytes().length, opcode }
  }

  #noteSlot(frame: Frame, step: TraceStep): void {
    const { opcode, loaded } = step
    const slot = toWord(stackWord(step, 0))
    const spend = () => this.#budget.spend(ENTRY_CHARACTERS.slot)
    if (opcode === OP.SSTORE) increment(frame.writes, slot, spend)
    else if (opcode === OP.TLOAD) increment(frame.transientReads, slot, spend)
    else if (opcode === OP.TSTORE) increment(frame.transientWrites, slot, spend)
    else if (frame.reads[slot] === undefined && frame.writes[slot] === undefined) {
      spend()
      frame.reads[slot] = [toWord(loaded ?? 0n)]
    }
  }

  #keepPreimage(step: TraceStep): void {
    const preimage = bytesToHex(stackMemory(step, 0))
    if (this.#preimages.has(preimage)) return
    this.#budget.spend(preimage.length)
    this.#preimages.add(preimage)
  }

  log({ address, topics, data }: EngineLog): void {
    const index = this.#nextLogIndex++
    if (!this.#config.withLog) return
    this.#budget.spend(LOG_CHARACTERS + 2 * data.length)
    const { logs, calls } = this.#open.at(-1) as Frame
    logs.push({ address, topics, data: bytesToHex(data), index: toQuantity(index), position: toQuantity(calls.length) })
  }

  exit(exit: FrameExit): void {
    this.#codes?.exit(exit)
    this.#budget.spend(2 * exit.output.length)
    const frame = this.#open.pop() as Frame
    if (exit.failure) this.#nextLogIndex = frame.firstLogIndex
    const parent = this.#open.at(-1)
    if (parent) parent.calls.push(format(frame, exit, exit.gasUsed))
    else this.#top = { frame, exit }
  }

  end({ gasUsed }: Execution): void {
    this.#gasUsed = gasUsed
  }

  result(): RpcErc7562Frame {
    const { frame, exit } = this.#top as EndedFrame
    // Sorted as bytes: a prefix comes first, as it does among texts.
    const keccak = [...this.#preimages].toSorted()
    return { ...format(frame, exit, this.#gasUsed), ...(keccak.length > 0 && { keccak }) }
  }
}

/** A frame that has ended, with the frames within it. */
function format(frame: Frame, { depth, output, failure }: FrameExit, gasUsed: bigint): RpcErc7562Frame {
  const { type, from, to, value } = frame.start
  const reason = failure?.kind === 'reverted' ? decodeRevertReason(output) : undefined
  const isFailedCreation = failure !== undefined && createdBy(frame.start) !== undefined
  const calls = failure ? frame.calls.map(withoutLogs) : frame.calls
  const { reads, writes, transientReads, transientWrites } = frame
  return {
    type,
    from,
    ...(!isFailedCreation && { to }),
    ...(value !== undefined && { value: toQuantity(value) }),
    gas: toQuantity(frame.gas),
    gasUsed: toQuantity(gasUsed),
    input: frame.input,
    ...(output.length > 0 && { output: bytesToHex(output) }),
    ...(failure && { error: failure.message }),
    ...(reason !== undefined && { revertReason: reason }),
    ...(frame.logs.length > 0 && !failure && { logs: frame.logs }),
    accessedSlots: { reads, writes, transientReads, transientWrites } as RpcErc7562Frame['accessedSlots'],
    extCodeAccessInfo: frame.extCodeAccessInfo,
    usedOpcodes: frame.usedOpcodes as RpcErc7562Frame['usedOpcodes'],
    contractSize: frame.contractSize,
    // As in geth, never for the transaction's own frame.
    outOfGas: depth > 0 && failure?.kind === 'halted' && isOutOfGas(failure.message),
    ...(calls.length > 0 && { calls }),
  }
}

/** Logs of a failed frame and of those within it were never emitted. */
function withoutLogs(frame: RpcErc7562Frame): RpcErc7562Frame {
  const { logs: _, ...rest } = frame
  return { ...rest, ...(rest.calls && { calls: rest.calls.map(withoutLogs) }) }
}

function isOutOfGas(message: string): boolean {
  return message === 'contract creation code storage out of gas' || /^out of gas\b/.test(message)
}

function increment<Key extends string>(counts: Counts<Key>, key: Key, onNew: () => void): void {
  const count = counts[key]
  if (count === undefined) onNew()
  counts[key] = (count ?? 0) + 1
}

/** Whether the opcode reads an account's code or what follows from it. */
function looksAtCode(opcode: number): boolean {
  return opcode === OP.EXTCODESIZE || opcode === OP.EXTCODECOPY || opcode === OP.EXTCODEHASH
}

function usesAnySlot(opcode: number): boolean {
  return usesSlot(opcode) || opcode === OP.TLOAD || opcode === OP.TSTORE
}

/** Whether the opcode has to be seen even where it is not counted. */
function isWatched(opcode: number): boolean {
  return (
    opcode === OP.GAS || opcode === OP.KECCAK256 || looksAtCode(opcode) || callsAccount(opcode) || usesAnySlot(opcode)
  )
}
