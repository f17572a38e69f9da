import { createRequire } from 'node:module'
import path from 'node:path'
import type { ChainOptions } from '#library/chain.ts'
import { extendHardhat2 } from './hardhat-2.ts'
import { type HardhatPlugin, hardhat3Plugin } from './hardhat-3.ts'

export type { HardhatPlugin }

/**
 * Has the tests of a Hardhat project run on Blinknet, in their own process: it stands for the network `hardhat` of Hardhat 2,
 * and for every simulated network of Hardhat 3. The network's configuration holds: chain id, accounts, gas limit, mining,
 * forking and the like; only its hardfork does not.
 *
 * @param options - Of these chains besides; they win over the network's.
 * @returns For `plugins` of Hardhat 3; with Hardhat 2 the call alone does it.
 * @example
 * // Hardhat 2, in hardhat.config.js
 * require('blinknet/hardhat').blinknet()
 * // Hardhat 3, in hardhat.config.ts
 * import { blinknet } from 'blinknet/hardhat'
 * export default defineConfig({ plugins: [blinknet()] })
 * @throws {Error} If the project has no Hardhat.
 */
export function blinknet(options: ChainOptions = {}): HardhatPlugin {
  const load = createRequire(path.join(process.cwd(), 'hardhat.config.js'))
  const { version } = load('hardhat/package.json') as { readonly version: string }
  if (version.startsWith('2.')) extendHardhat2(load, options)
  return hardhat3Plugin(options)
}
