import { startAnvil, startBareHttp, startBlinknet } from './chains.mjs'
import { median, ms } from './figures.mjs'

const ROUNDS = 9
/** Goal: the most allowed, relative to bare `node:http`. */
const MOST = 1.45

/** From the command to the first answer. @param {import('./figures.mjs').Report} report */
export async function reportStartUp(report) {
  /** @type {{ node: number[], anvil: number[], bare: number[] }} */
  const taken = { node: [], anvil: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, start] of /** @type {const} */ ([
      ['node', startBlinknet],
      ['anvil', startAnvil],
      ['bare', startBareHttp],
    ])) {
      const began = performance.now()
      const chain = await start()
      await chain.call('eth_blockNumber')
      taken[name].push(performance.now() - began)
      await chain.stop()
    }
  }
  const [node, anvil, bare] = [median(taken.node), median(taken.anvil), median(taken.bare)]
  report.compare('started → first answer', { node, anvil }, { format: ms })
  report.compare('the same, beside bare `node:http`', { node, bare }, { format: ms, to: 'bare', most: MOST })
}
