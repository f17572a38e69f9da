import type { PrecompileFunc } from '@ethereumjs/evm'
import { invariant } from '#primitives/invariant.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { deferredBlake2f } from './blake2f.ts'
import { BadPointError } from './curve-points.ts'
import type { Deferral } from './deferral.ts'
import { ECRECOVER, ecrecover } from './ecrecover.ts'
import { failedPrecompile } from './failed-precompile.ts'
import { deferredRipemd160, deferredSha256 } from './hashes.ts'
import { deferredModexp } from './modexp.ts'

const REASONS = {
  'not-in-field': 'BN254_FP_NOT_IN_FIELD',
  'not-on-curve': 'BLS_12_381_POINT_NOT_ON_CURVE',
  'not-in-subgroup': 'BLS_12_381_POINT_NOT_ON_CURVE',
} as const

/** Holds the current guard, which changes with each message. */
interface Guarded {
  readonly guard: ExecutionGuard | undefined
}

/**
 * The precompiles of an EVM, with a pause before each of them, and pauses within long ones.
 *
 * @param library - The EVM's own, by the hex digits of their addresses. Its curves are the deferred ones.
 * @param deferral - Holds the work that those curves defer.
 * @param impersonates - As {@link ecrecover} takes it.
 */
export function pacedPrecompiles(
  library: ReadonlyMap<string, PrecompileFunc>,
  deferral: Deferral,
  running: Guarded,
  impersonates = false,
): ReadonlyMap<string, PrecompileFunc> {
  return new Map(
    [...library].map(([digits, run]) => {
      const number = Number(`0x${digits}`)
      const own = impersonates && number === ECRECOVER ? impersonatingEcrecover : replaced(number, run, deferral)
      return [digits, paced(number, own, deferral, running)]
    }),
  )
}

const impersonatingEcrecover: PrecompileFunc = ({ data, gasLimit }) => {
  const result = ecrecover(data, gasLimit, true)
  if (result.failure !== undefined) return failedPrecompile('OUT_OF_GAS', gasLimit)
  return { executionGasUsed: result.gasUsed, returnValue: result.output }
}

function replaced(address: number, run: PrecompileFunc, deferral: Deferral): PrecompileFunc {
  switch (address) {
    case 2:
      return deferredSha256(deferral)
    case 3:
      return deferredRipemd160(deferral)
    case 5:
      return deferredModexp(run, deferral)
    case 9:
      return deferredBlake2f(deferral)
    default:
      return run
  }
}

function paced(number: number, run: PrecompileFunc, deferral: Deferral, running: Guarded): PrecompileFunc {
  return async (input) => {
    const { guard } = running
    invariant(guard, 'a precompile runs within a message')
    await guard.checkpoint()
    const leave = guard.enterPrecompile?.(number)
    try {
      const result = await run(input)
      const work = deferral.take()
      return work ? { ...result, returnValue: await work(guard) } : result
    } catch (error) {
      // Any other error comes from the guard and ends the execution.
      if (!(error instanceof BadPointError)) throw error
      return failedPrecompile(REASONS[error.code], input.gasLimit)
    } finally {
      leave?.()
    }
  }
}
