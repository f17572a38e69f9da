import type { EVM, PrecompileFunc } from '@ethereumjs/evm'
import type { ExecutionGuard } from './engine.ts'

/** Jumps between two looks at the clock. */
const JUMPS_PER_CHECKPOINT = 256
/** Gas between two looks at the clock, for code without jumps: about a millisecond of hashing. */
const GAS_PER_CHECKPOINT = 50_000n

/** Where an EVM that is running may pause or be aborted; the same object for all of its messages. */
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

/** Steps whose gas depends on what they do, such as KECCAK256: they take long, and code without a loop can have many. */
export function paceDynamicGas(evm: EVM, pace: Pace): void {
  // The EVM has no setting for it; it awaits the gas of these steps.
  const steps = new Set(evm['_opcodeMap'])
  for (const step of steps) {
    if (!step.opcodeInfo.dynamicGas) continue
    const gasHandler = step.gasHandler as AsyncGasHandler
    const paced: AsyncGasHandler = (runState, gas, common) => {
      const spent = pace.gasLeft - runState.gasLeft
      // Less than nothing was spent where a call has returned.
      if (spent >= 0n && spent < GAS_PER_CHECKPOINT) return gasHandler(runState, gas, common)
      pace.gasLeft = runState.gasLeft
      const pause = pace.guard?.checkpoint()
      return pause ? pause.then(() => gasHandler(runState, gas, common)) : gasHandler(runState, gas, common)
    }
    step.gasHandler = paced
  }
}

/** A precompile that lets others have their turn before it starts. */
export function pacedPrecompile(run: PrecompileFunc, pace: Pace): PrecompileFunc {
  return async (input) => {
    await pace.guard?.checkpoint()
    return run(input)
  }
}
