import type { EngineName } from '#rpc-types/node-options.ts'
import { type Fork, NEWEST_FORK } from '../spec/rules.ts'
import type { Engine } from './engine.ts'
import { createEthereumjsEngine } from './ethereumjs-engine.ts'
import { createWasmEngine } from './wasm-engine.ts'

const DEFAULT_ENGINE: EngineName = 'wasm'

/** The engine of that name. What it answers, and what it leaves behind, is the same for all. */
export async function createEngine(
  chainId: number,
  name: EngineName = DEFAULT_ENGINE,
  fork: Fork = NEWEST_FORK,
): Promise<Engine> {
  const reference = await createEthereumjsEngine(chainId, fork)
  switch (name) {
    case 'reference':
      return reference
    case 'wasm':
      return createWasmEngine(chainId, reference)
    default:
      return name satisfies never
  }
}
