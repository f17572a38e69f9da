import type { Address } from '#primitives/hex.ts'
import type { HardforkName } from '../../spec/rules.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { ECRECOVER, ecrecover } from './ecrecover.ts'
import type { PrecompileResult } from './precompile-result.ts'
import type { PrecompileSet } from './precompile-set.ts'

/** The precompiled contracts for one message at a time, loaded and created at the first call. */
export class Precompiles {
  readonly #chainId: number
  readonly #hardfork: HardforkName
  readonly #impersonates: boolean
  #set: PrecompileSet | undefined

  /** @param impersonates - As {@link ecrecover} takes it. */
  constructor(chainId: number, hardfork: HardforkName, impersonates: boolean) {
    this.#chainId = chainId
    this.#hardfork = hardfork
    this.#impersonates = impersonates
  }

  /** @param number - The precompile's address as a number. @returns A promise only if there is something to wait for. */
  run(
    number: number,
    input: Uint8Array,
    gas: bigint,
    guard: ExecutionGuard,
  ): PrecompileResult | Promise<PrecompileResult> {
    if (number === ECRECOVER) {
      const pause = guard.checkpoint()
      if (pause) return pause.then(() => ecrecover(input, gas, this.#impersonates))
      return ecrecover(input, gas, this.#impersonates)
    }
    return this.#set ? this.#set.run(number, input, gas, guard) : this.#loadAndRun(number, input, gas, guard)
  }

  async #loadAndRun(number: number, input: Uint8Array, gas: bigint, guard: ExecutionGuard): Promise<PrecompileResult> {
    this.#set ??= await (await loadPrecompiles()).PrecompileSet.create(this.#chainId, this.#hardfork)
    return this.#set.run(number, input, gas, guard)
  }
}

/** Loads their code in advance. */
export function loadPrecompiles(): Promise<typeof import('./precompile-set.ts')> {
  return import('./precompile-set.ts')
}

/** The numbers of the precompiles, by address. */
export function numbersOf(addresses: readonly Address[]): ReadonlyMap<Address, number> {
  return new Map(addresses.map((address) => [address, Number(address)]))
}
