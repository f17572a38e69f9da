import { startAnvil, startBlinknet } from './chains.mjs'
import { median, ms } from './figures.mjs'

const ROUNDS = 3

/** From the command to the first answer. @param {import('./figures.mjs').Report} report */
export async function reportStartUp(report) {
  /** @type {{ node: number[], anvil: number[] }} */
  const taken = { node: [], anvil: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, start] of /** @type {const} */ ([
      ['node', startBlinknet],
      ['anvil', startAnvil],
    ])) {
      const began = performance.now()
      const chain = await start()
      await chain.call('eth_blockNumber')
      taken[name].push(performance.now() - began)
      await chain.stop()
    }
  }
  report.compare('started → first answer', { node: median(taken.node), anvil: median(taken.anvil) }, { format: ms })
}
