import type { Address } from '#primitives/hex.ts'
import type { Fork } from '../../spec/rules.ts'
import type { ExecutionGuard } from '../message.ts'
import { ECRECOVER, ecrecover } from './ecrecover.ts'
import type { PrecompileResult, PrecompileSet } from './precompile-set.ts'

/** The precompiled contracts for one message at a time, loaded and made when the first of them is called. */
export class Precompiles {
  readonly #chainId: number
  readonly #fork: Fork
  #set: PrecompileSet | undefined

  constructor(chainId: number, fork: Fork) {
    this.#chainId = chainId
    this.#fork = fork
  }

  /** @param number - The precompile's own address, as a number. */
  async run(number: number, input: Uint8Array, gas: bigint, guard: ExecutionGuard): Promise<PrecompileResult> {
    if (number === ECRECOVER) {
      await guard.checkpoint()
      return ecrecover(input, gas)
    }
    this.#set ??= await (await loadPrecompiles()).PrecompileSet.create(this.#chainId, this.#fork)
    return this.#set.run(number, input, gas, guard)
  }
}

/** Loads what runs them, so that the first call need not wait for it. */
export function loadPrecompiles(): Promise<typeof import('./precompile-set.ts')> {
  return import('./precompile-set.ts')
}

/** By the addresses at which they answer: the numbers of the precompiles. */
export function numbersOf(addresses: readonly Address[]): ReadonlyMap<Address, number> {
  return new Map(addresses.map((address) => [address, Number(address)]))
}
