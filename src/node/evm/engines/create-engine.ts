import type { EngineName } from '#rpc-types/node-options.ts'
import { MAX_CODE_BYTES } from '../../spec/gas-schedule.ts'
import { type Fork, NEWEST_FORK } from '../../spec/rules.ts'
import type { Engine } from '../engine.ts'
import { createWasmEngine } from './wasm/engine.ts'

const DEFAULT_ENGINE: EngineName = 'wasm'

/**
 * The engine of that name. What it answers, and what it leaves behind, is the same for all. The reference engine is loaded
 * when somebody asks for it: it is most of what a chain would have to load before it starts.
 */
export async function createEngine(
  chainId: number,
  name: EngineName = DEFAULT_ENGINE,
  fork: Fork = NEWEST_FORK,
  codeSizeLimit: number = MAX_CODE_BYTES,
): Promise<Engine> {
  switch (name) {
    case 'reference': {
      const { createEthereumjsEngine } = await import('./reference/engine.ts')
      return createEthereumjsEngine(chainId, fork, codeSizeLimit)
    }
    case 'wasm':
      return createWasmEngine(chainId, fork, codeSizeLimit)
    default:
      return name satisfies never
  }
}
