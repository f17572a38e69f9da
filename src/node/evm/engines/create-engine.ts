import type { EngineName } from '#rpc-types/node-options.ts'
import { MAX_CODE_BYTES } from '../../spec/gas-schedule.ts'
import { type HardforkName, NEWEST_HARDFORK } from '../../spec/rules.ts'
import type { Engine } from '../engine.ts'
import type { Rollup } from '../rollup.ts'
import { createWasmEngine } from './wasm/engine.ts'

const DEFAULT_ENGINE: EngineName = 'wasm'

/**
 * Creates the engine of that name. All engines have the same results and the same effects. The reference engine is
 * loaded on demand, since it is most of the code that a chain would otherwise load before it starts.
 *
 * @param impersonates - Whether what stands for the signature of an account without a key counts as one.
 * @param rollup - What transactions and blocks do besides.
 */
export async function createEngine(
  chainId: number,
  name: EngineName = DEFAULT_ENGINE,
  hardfork: HardforkName = NEWEST_HARDFORK,
  codeSizeLimit: number = MAX_CODE_BYTES,
  impersonates = false,
  rollup?: Rollup,
): Promise<Engine> {
  switch (name) {
    case 'reference': {
      const { createEthereumjsEngine } = await import('./reference/engine.ts')
      return createEthereumjsEngine(chainId, hardfork, codeSizeLimit, impersonates, rollup)
    }
    case 'wasm':
      return createWasmEngine(chainId, hardfork, codeSizeLimit, undefined, impersonates, rollup)
    default:
      return name satisfies never
  }
}
