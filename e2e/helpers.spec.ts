import { signedTransfers } from '../bench/transfers.mjs'
import { expect, test } from './playground.ts'

/** More than the node's worker recovers at once. */
const AT_ONCE = 200

test('when many transactions arrive at once, another worker helps, and all are sealed in order', async ({
  playground,
  page,
}) => {
  await playground.open()
  const next = signedTransfers()
  const submit = async () => {
    const raws = await next(AT_ONCE)
    return page.evaluate(
      (all) =>
        Promise.all(
          all.map(
            (raw) => window.devnet?.request({ method: 'eth_sendRawTransaction', params: [raw] }) as Promise<string>,
          ),
        ),
      raws,
    )
  }
  const helper = page.waitForEvent('worker', (worker) => worker.url().includes('recovery-worker'))
  const sent = await submit()
  await helper
  // Once it runs, it gets work.
  for (let round = 0; round < 3; round++) sent.push(...(await submit()))
  await playground.request('evm_mine')
  const block = await playground.request('eth_getBlockByNumber', ['latest', false])
  expect(block).toMatchObject({ transactions: sent })
  expect(new Set(sent).size).toBe(4 * AT_ONCE)
})
