import { invariant } from '#primitives/invariant.ts'
import type { RpcOpcodeGas } from '#rpc-types/methods/trace.ts'
import type { Engine } from '../../evm/engine.ts'
import { opcodeName, undefinedOpcode } from '../../evm/opcode-names.ts'
import type { FrameExit, FrameStart, TraceStart, TransactionTracer } from '../../evm/tracer.ts'
import { FrameCodes } from './frame-codes.ts'
import type { ResultTracer } from './result-tracer.ts'

type Rules = Pick<Engine, 'hardfork' | 'precompiles'>

const STOP = 0x00
/** Gas per byte of a new contract's code, which its frame pays after its last step. */
const CODE_BYTE_GAS = 200

/** A frame that runs. */
interface OpenFrame {
  readonly code: Uint8Array
  readonly creates: boolean
  /** Gas at its start. */
  readonly gas: number
  /** The newest step, whose cost shows at the next one; below 0 before the first. */
  opcode: number
  /** Gas before that step. */
  gasBefore: number
  /** Gas that the frames which that step began have used. */
  gasInside: number
}

/** Adds up the gas of each opcode of a transaction. */
export function createOpcodeGasTracer(rules: Rules): ResultTracer<readonly RpcOpcodeGas[]> {
  return new OpcodeGasTracer(rules)
}

class OpcodeGasTracer implements TransactionTracer, ResultTracer<readonly RpcOpcodeGas[]> {
  readonly #rules: Rules
  readonly #counts = new Float64Array(256)
  readonly #gas = new Float64Array(256)
  readonly #open: OpenFrame[] = []
  #codes: FrameCodes | undefined

  constructor(rules: Rules) {
    this.#rules = rules
  }

  begin(start: TraceStart): void {
    this.#codes = new FrameCodes(this.#rules, start)
  }

  enter(start: FrameStart): void {
    invariant(this.#codes, 'a frame is entered in a transaction')
    const { hash, bytes } = this.#codes.enter(start)
    const { type, gas } = start
    this.#open.push({
      code: hash === undefined ? new Uint8Array(0) : bytes(),
      creates: type === 'CREATE' || type === 'CREATE2',
      gas: Number(gas),
      opcode: -1,
      gasBefore: 0,
      gasInside: 0,
    })
  }

  record(pcs: Uint8Array, gas: Uint8Array): void {
    const frame = this.#open.at(-1)
    invariant(frame, 'steps are those of a frame')
    const [offsets, left] = [viewOf(pcs), viewOf(gas)]
    for (let at = 0; at < pcs.length; at += 4) {
      const gasLeft = left.getUint32(at)
      this.#finishStep(frame, gasLeft)
      // Beyond the end of the code there are only STOPs.
      frame.opcode = frame.code[offsets.getUint32(at)] ?? STOP
      frame.gasBefore = gasLeft
      frame.gasInside = 0
      this.#counts[frame.opcode] = (this.#counts[frame.opcode] ?? 0) + 1
    }
  }

  exit(exit: FrameExit): void {
    this.#codes?.exit(exit)
    const frame = this.#open.pop()
    invariant(frame, 'a frame is left that was entered')
    const { gasUsed, failure, output } = exit
    // What an exception takes is no opcode's.
    if (failure?.kind !== 'halted') {
      const deposit = frame.creates && !failure ? CODE_BYTE_GAS * output.length : 0
      this.#finishStep(frame, frame.gas - Number(gasUsed) + deposit)
    }
    const outer = this.#open.at(-1)
    if (outer) outer.gasInside += Number(gasUsed)
  }

  #finishStep({ opcode, gasBefore, gasInside }: OpenFrame, gasAfter: number): void {
    if (opcode >= 0) this.#gas[opcode] = (this.#gas[opcode] ?? 0) + gasBefore - gasAfter - gasInside
  }

  result(): readonly RpcOpcodeGas[] {
    const { hardfork } = this.#rules
    return Array.from(this.#counts, (count, opcode) => ({
      opcode: opcodeName(opcode, hardfork),
      count,
      gasUsed: this.#gas[opcode] ?? 0,
      isDefined: opcodeName(opcode, hardfork) !== undefinedOpcode(opcode),
    }))
      .filter(({ count, isDefined }) => count > 0 && isDefined)
      .toSorted((a, b) => b.gasUsed - a.gasUsed)
      .map(({ opcode, count, gasUsed }) => ({ opcode, count, gasUsed }))
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
