// Runs scenarios in Hardhat's own node and prints the lines of its stack traces. A process of its own: Hardhat reads its
// configuration where it is started, and its stack traces are JavaScript's.
import { createRequire } from 'node:module'
import path from 'node:path'
import { text } from 'node:stream/consumers'

/** @typedef {import('./scenarios.d.ts').Scenarios} Scenarios */
/** @typedef {{ send(method: string, params: readonly unknown[]): Promise<unknown> }} Provider */
/** @typedef {{ getLineNumber(): number | null, constructor: { name: string } }} Site */

const require = createRequire(path.resolve('package.json'))
const { network } = /** @type {{ network: { provider: Provider } }} */ (require('hardhat'))
const { provider } = network
const { solc, variants } = /** @type {Scenarios} */ (JSON.parse(await text(process.stdin)))

// Hardhat puts its frames among those of JavaScript.
Error.prepareStackTrace = (_error, sites) =>
  /** @type {Site[]} */ (/** @type {unknown} */ (sites))
    .filter((site) => site.constructor.name === 'SolidityCallSite')
    .map((site) => site.getLineNumber())

/** @type {Record<string, Record<string, readonly (number | null)[]>>} */
const told = {}
for (const [variant, { input, output, creations, calls }] of Object.entries(variants)) {
  await provider.send('hardhat_reset', [])
  // Hardhat asks for a plain version.
  await provider.send('hardhat_addCompilationResult', [solc.split('+')[0], input, output])
  for (const creation of creations) await provider.send('eth_sendTransaction', [creation])
  const lines = (told[variant] ??= {})
  for (const { name, ...call } of calls) {
    const snapshot = await provider.send('evm_snapshot', [])
    lines[name] = await provider.send('eth_sendTransaction', [call]).then(
      () => Promise.reject(new Error(`${name} did not fail`)),
      (error) => /** @type {{ stack: readonly (number | null)[] }} */ (error).stack,
    )
    await provider.send('evm_revert', [snapshot])
  }
}
process.stdout.write(JSON.stringify(told))
