import type { EVM } from '@ethereumjs/evm'
import type { ExecutionGuard } from '../../message.ts'

/** Jumps between two looks at the clock. */
const JUMPS_PER_CHECKPOINT = 256
/** Gas between two looks at the clock, for code without jumps: about a millisecond of hashing. */
const GAS_PER_CHECKPOINT = 50_000n
/** More than any contract may have (EIP-170, 3860); such code comes from overrides and development methods. */
const LONG_CODE_BYTES = 49_152

/** Lets a running EVM pause or abort; the same object for all of its messages. */
export interface Pace {
  guard: ExecutionGuard | undefined
  jumps: number
  /** Gas that was left at the last look at the clock. */
  gasLeft: bigint
}

type OpcodeMap = EVM['_opcodeMap']
type AsyncGasHandler = Extract<OpcodeMap[number]['gasHandler'], (...args: never) => Promise<bigint>>

/** JUMPDEST, which every loop passes. */
export function pacedJumpdest(pace: Pace) {
  // The EVM awaits what a custom opcode returns, though its type says nothing of a promise.
  const logicFunction: () => unknown = () => {
    if (++pace.jumps % JUMPS_PER_CHECKPOINT !== 0) return undefined
    return pace.guard?.checkpoint()
  }
  return {
    opcode: 0x5b,
    opcodeName: 'JUMPDEST',
    baseFee: 1,
    logicFunction,
  }
}

/**
 * Lets others have their turn where code has no jumps. Steps whose gas depends on what they do, such as KECCAK256, take
 * long, and any code can have many: they look at the clock. The others are too short to, unless the code is so long that
 * there may be very many of them.
 */
export class PacedSteps {
  readonly #evm: EVM
  readonly #usual: OpcodeMap
  readonly #careful: OpcodeMap

  constructor(evm: EVM, pace: Pace) {
    this.#evm = evm
    this.#usual = evm['_opcodeMap']
    const steps = new Set(this.#usual)
    // The EVM has no setting for it; it awaits the gas of these steps.
    for (const step of steps) {
      if (step.opcodeInfo.dynamicGas) step.gasHandler = paced(step.gasHandler as AsyncGasHandler, pace)
    }
    this.#careful = this.#usual.map((step) =>
      step.opcodeInfo.dynamicGas
        ? step
        : {
            ...step,
            opcodeInfo: Object.create(step.opcodeInfo, { dynamicGas: { value: true } }) as typeof step.opcodeInfo,
            gasHandler: paced(async (_, gas) => gas, pace),
          },
    )
  }

  /** A message begins. */
  reset(): void {
    this.#evm['_opcodeMap'] = this.#usual
  }

  /** Code was loaded: from now on every step looks at the clock, if it is long. */
  expect(code: Uint8Array): void {
    if (code.length > LONG_CODE_BYTES) this.#evm['_opcodeMap'] = this.#careful
  }
}

function paced(gasHandler: AsyncGasHandler, pace: Pace): AsyncGasHandler {
  return (runState, gas, common) => {
    const spent = pace.gasLeft - runState.gasLeft
    // Less than nothing was spent where a call has returned.
    if (spent >= 0n && spent < GAS_PER_CHECKPOINT) return gasHandler(runState, gas, common)
    pace.gasLeft = runState.gasLeft
    const pause = pace.guard?.checkpoint()
    return pause ? pause.then(() => gasHandler(runState, gas, common)) : gasHandler(runState, gas, common)
  }
}
