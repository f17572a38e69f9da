import type { PrecompileFunc } from '@ethereumjs/evm'
import type { Address } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Fork } from '../../spec/rules.ts'
import type { ExecutionGuard } from '../engine.ts'
import { createCommon } from '../ethereumjs-common.ts'
import { wordsOfError } from '../ethereumjs-failure.ts'
import { Deferral } from './deferral.ts'
import { createDeferringEvm } from './deferred-curves.ts'
import { pacedPrecompiles } from './paced-precompiles.ts'

export type PrecompileResult =
  | { readonly gasUsed: bigint; readonly output: Uint8Array; readonly failure?: undefined }
  /** All gas is gone. */
  | { readonly failure: string }

/** The precompiled contracts for one message at a time, made when the first of them is called. */
export class Precompiles {
  readonly #chainId: number
  readonly #fork: Fork
  #set: Promise<PrecompileSet> | undefined

  constructor(chainId: number, fork: Fork) {
    this.#chainId = chainId
    this.#fork = fork
  }

  /** @param number - The precompile's own address, as a number. */
  async run(number: number, input: Uint8Array, gas: bigint, guard: ExecutionGuard): Promise<PrecompileResult> {
    this.#set ??= createSet(this.#chainId, this.#fork)
    const set = await this.#set
    const run = set.functions.get(number)
    invariant(run, `there is no precompile ${number}`)
    set.running.guard = guard
    const { executionGasUsed, returnValue, exceptionError } = await run({
      ...set.surroundings,
      data: input,
      gasLimit: gas,
    })
    if (exceptionError) return { failure: wordsOfError(exceptionError.error) }
    return { gasUsed: executionGasUsed, output: returnValue }
  }
}

interface PrecompileSet {
  readonly functions: ReadonlyMap<number, PrecompileFunc>
  readonly running: { guard: ExecutionGuard | undefined }
  readonly surroundings: Omit<Parameters<PrecompileFunc>[0], 'data' | 'gasLimit'>
}

async function createSet(chainId: number, fork: Fork): Promise<PrecompileSet> {
  const deferral = new Deferral()
  const running: PrecompileSet['running'] = { guard: undefined }
  const evm = await createDeferringEvm({ common: createCommon(chainId, fork) }, deferral)
  const functions = pacedPrecompiles(evm.precompiles, deferral, running)
  return {
    functions: new Map([...functions].map(([digits, run]) => [Number(`0x${digits}`), run])),
    running,
    surroundings: { common: evm.common, _EVM: evm },
  }
}

/** By the addresses at which they answer: the numbers of the precompiles. */
export function numbersOf(addresses: readonly Address[]): ReadonlyMap<Address, number> {
  return new Map(addresses.map((address) => [address, Number(address)]))
}
