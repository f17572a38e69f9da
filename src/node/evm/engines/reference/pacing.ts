import type { EVM } from '@ethereumjs/evm'
import type { ExecutionGuard } from '../../../turns/guard.ts'

/** Jumps between two looks at the clock. */
const JUMPS_PER_CHECKPOINT = 256
/** Gas between two looks at the clock for code without jumps: about a millisecond of hashing. */
const GAS_PER_CHECKPOINT = 50_000n
/** Longer than any contract or initcode (EIP-170, 3860); such code comes from overrides and development methods. */
const LONG_CODE_BYTES = 49_152

/** Lets a running EVM pause or abort; one object for all of its messages. */
export interface EvmPace {
  guard: ExecutionGuard | undefined
  jumps: number
  /** Remaining gas at the last look at the clock. */
  gasLeft: bigint
}

type OpcodeMap = EVM['_opcodeMap']
type AsyncGasHandler = Extract<OpcodeMap[number]['gasHandler'], (...args: never) => Promise<bigint>>

/** JUMPDEST, which every loop passes. */
export function pacedJumpdest(pace: EvmPace) {
  // The EVM awaits the result of a custom opcode, although its type does not mention a promise.
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
 * Pauses code without jumps. Steps with dynamic gas, such as KECCAK256, take long, and any code can have many of them,
 * so they look at the clock. Other steps are too short for that, unless the code is so long that there may be very
 * many.
 */
export class PacedSteps {
  readonly #evm: EVM
  readonly #usual: OpcodeMap
  readonly #careful: OpcodeMap

  constructor(evm: EVM, pace: EvmPace) {
    this.#evm = evm
    this.#usual = evm['_opcodeMap']
    const steps = new Set(this.#usual)
    // The EVM has no option for this, but it awaits the gas of these steps.
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

  /** Starts a message. */
  reset(): void {
    this.#evm['_opcodeMap'] = this.#usual
  }

  /** Code was loaded: if it is long, every step looks at the clock from now on. */
  expect(code: Uint8Array): void {
    if (code.length > LONG_CODE_BYTES) this.#evm['_opcodeMap'] = this.#careful
  }
}

function paced(gasHandler: AsyncGasHandler, pace: EvmPace): AsyncGasHandler {
  return (runState, gas, common) => {
    const spent = pace.gasLeft - runState.gasLeft
    // After the return of a call the gas spent can be negative.
    if (spent >= 0n && spent < GAS_PER_CHECKPOINT) return gasHandler(runState, gas, common)
    pace.gasLeft = runState.gasLeft
    const pause = pace.guard?.checkpoint()
    return pause ? pause.then(() => gasHandler(runState, gas, common)) : gasHandler(runState, gas, common)
  }
}
