import type { ExamplesOf } from './method.ts'
import { DEBUG_EXAMPLES } from './methods/debug.ts'
import { DEVNET_EXAMPLES } from './methods/devnet.ts'
import { ETH_EXAMPLES } from './methods/eth.ts'
import { OTS_EXAMPLES } from './methods/ots.ts'
import { TRACE_EXAMPLES } from './methods/trace.ts'
import type { RpcMethods } from './methods.ts'

/**
 * Examples for the console, of the methods whose types alone do not say what makes sense. Apart from `methods.ts`, as only
 * the page needs them.
 */
export const EXAMPLES: ExamplesOf<RpcMethods> = {
  ...DEBUG_EXAMPLES,
  ...DEVNET_EXAMPLES,
  ...ETH_EXAMPLES,
  ...OTS_EXAMPLES,
  ...TRACE_EXAMPLES,
}
