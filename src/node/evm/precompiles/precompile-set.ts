import type { ExecResult, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '#primitives/bytes.ts'
import { invariant } from '#primitives/invariant.ts'
import type { HardforkName } from '../../spec/rules.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { wordsOfError } from '../ethereumjs-failure.ts'
import { Curves } from './curves.ts'
import { Deferral } from './deferral.ts'
import { createDeferringEvm } from './deferred-curves.ts'
import { createCommon } from './ethereumjs-common.ts'
import { pacedPrecompiles } from './paced-precompiles.ts'
import type { PrecompileResult } from './precompile-result.ts'

/** The precompiled contracts of a hardfork, as in the reference engine, for one message at a time. */
export class PrecompileSet {
  readonly #functions: ReadonlyMap<number, PrecompileFunc>
  readonly #running: { guard: ExecutionGuard | undefined }
  /** What functions take, made once: a spread for each call takes as long as short precompiles do. */
  readonly #input: PrecompileInput

  private constructor(
    functions: ReadonlyMap<number, PrecompileFunc>,
    running: { guard: ExecutionGuard | undefined },
    surroundings: Omit<PrecompileInput, 'data' | 'gasLimit'>,
  ) {
    this.#functions = functions
    this.#running = running
    this.#input = { ...surroundings, data: EMPTY_BYTES, gasLimit: 0n }
  }

  static async create(chainId: number, hardfork: HardforkName): Promise<PrecompileSet> {
    const deferral = new Deferral()
    const running: { guard: ExecutionGuard | undefined } = { guard: undefined }
    const curves = new Curves()
    const evm = await createDeferringEvm({ common: createCommon(chainId, hardfork) }, deferral, curves)
    const functions = pacedPrecompiles(evm.precompiles, deferral, curves, running)
    return new PrecompileSet(new Map([...functions].map(([digits, run]) => [Number(`0x${digits}`), run])), running, {
      common: evm.common,
      _EVM: evm,
    })
  }

  /** As {@link Precompiles.run}. */
  run(
    number: number,
    input: Uint8Array,
    gas: bigint,
    guard: ExecutionGuard,
  ): PrecompileResult | Promise<PrecompileResult> {
    const run = this.#functions.get(number)
    invariant(run, `there is no precompile ${number}`)
    this.#running.guard = guard
    this.#input.data = input
    this.#input.gasLimit = gas
    const result = run(this.#input)
    return result instanceof Promise ? result.then(resultOf) : resultOf(result)
  }
}

function resultOf({ executionGasUsed, returnValue, exceptionError }: ExecResult): PrecompileResult {
  if (exceptionError) return { failure: wordsOfError(exceptionError.error) }
  return { gasUsed: executionGasUsed, output: returnValue }
}
