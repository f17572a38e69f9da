import type { ExecResult, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm'
import { invariant } from '#primitives/invariant.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { deferredBlake2f } from './blake2f.ts'
import { blsOfFixedPrice } from './bls12-381.ts'
import { bn254Add, bn254Mul } from './bn254.ts'
import { BadPointError } from './curve-points.ts'
import type { Curves } from './curves.ts'
import type { Deferral, DeferredWork } from './deferral.ts'
import { ECRECOVER, ecrecover } from './ecrecover.ts'
import { KzgVerifier } from './ethereumjs-common.ts'
import { failedPrecompile } from './failed-precompile.ts'
import { deferredRipemd160, deferredSha256 } from './hashes.ts'
import { deferredModexp } from './modexp.ts'
import { p256Verify } from './p256.ts'

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
 * @param curves - Those that they use.
 * @param impersonates - As {@link ecrecover} takes it.
 */
export function pacedPrecompiles(
  library: ReadonlyMap<string, PrecompileFunc>,
  deferral: Deferral,
  curves: Curves,
  running: Guarded,
  impersonates = false,
): ReadonlyMap<string, PrecompileFunc> {
  return new Map(
    [...library].map(([digits, run]) => {
      const number = Number(`0x${digits}`)
      const own =
        impersonates && number === ECRECOVER ? impersonatingEcrecover : replaced(number, run, deferral, curves)
      return [digits, paced(number, own, deferral, running)]
    }),
  )
}

const impersonatingEcrecover: PrecompileFunc = ({ data, gasLimit }) => {
  const result = ecrecover(data, gasLimit, true)
  if (result.failure !== undefined) return failedPrecompile('OUT_OF_GAS', gasLimit)
  return { executionGasUsed: result.gasUsed, returnValue: result.output }
}

function replaced(address: number, run: PrecompileFunc, deferral: Deferral, curves: Curves): PrecompileFunc {
  switch (address) {
    case 2:
      return deferredSha256(deferral)
    case 3:
      return deferredRipemd160(deferral)
    case 5:
      return deferredModexp(run, deferral)
    case 6:
      return bn254Add(curves)
    case 7:
      return bn254Mul(curves)
    case 9:
      return deferredBlake2f(deferral)
    case 10:
      return pointEvaluation(run, curves)
    case 256:
      return p256Verify(curves, run)
    default:
      return blsOfFixedPrice(address, curves, run)
  }
}

/** The point evaluation of the library, which takes the curve from the verifier of its chain. */
function pointEvaluation(run: PrecompileFunc, curves: Curves): PrecompileFunc {
  return (input) =>
    curves.withBls12((curve) => {
      const kzg: unknown = input.common.customCrypto.kzg
      if (kzg instanceof KzgVerifier) kzg.curve = curve
      return run(input)
    })
}

function paced(number: number, run: PrecompileFunc, deferral: Deferral, running: Guarded): PrecompileFunc {
  return (input) => {
    const { guard } = running
    invariant(guard, 'a precompile runs within a message')
    const pause = guard.checkpoint()
    if (pause) return pause.then(() => watched(number, run, deferral, guard, input))
    return watched(number, run, deferral, guard, input)
  }
}

type Run = ExecResult | Promise<ExecResult>

/** Runs a precompile, and says when it begins and ends. */
function watched(
  number: number,
  run: PrecompileFunc,
  deferral: Deferral,
  guard: ExecutionGuard,
  input: PrecompileInput,
): Run {
  const leave = guard.enterPrecompile?.(number)
  try {
    const result = run(input)
    // Most take so little that waiting for a promise would take as long.
    if (!(result instanceof Promise)) {
      const work = deferral.take()
      if (!work) return ended(result, leave)
      return finished(result, work, deferral, guard, input, leave)
    }
    return finished(result, undefined, deferral, guard, input, leave)
  } catch (error) {
    return ended(failureOf(error, input, leave), leave)
  }
}

function ended(result: ExecResult, leave: (() => void) | undefined): ExecResult {
  leave?.()
  return result
}

/** Waits for a precompile, and does the work that it has deferred. */
async function finished(
  first: Run,
  known: DeferredWork | undefined,
  deferral: Deferral,
  guard: ExecutionGuard,
  input: PrecompileInput,
  leave: (() => void) | undefined,
): Promise<ExecResult> {
  try {
    const result = await first
    const work = known ?? deferral.take()
    return ended(work ? { ...result, returnValue: await work(guard) } : result, leave)
  } catch (error) {
    return ended(failureOf(error, input, leave), leave)
  }
}

/** @throws {unknown} Any error that is not about a point: it comes from the guard, and ends the execution. */
function failureOf(error: unknown, { gasLimit }: PrecompileInput, leave: (() => void) | undefined): ExecResult {
  if (error instanceof BadPointError) return failedPrecompile(REASONS[error.code], gasLimit)
  leave?.()
  throw error
}
