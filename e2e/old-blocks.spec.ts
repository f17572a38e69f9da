import type { Page } from '@playwright/test'
import { expect, test } from './playground.ts'

test.use({ storage: 'stored' })

/** Bytes of calldata, most of what a block here has. */
const DATA = 110_000
/** Empty blocks before all others: so many that hundreds of them share an object once they are old. */
const EMPTY = 900
/** Enough for more than what stays in memory on any device. */
const SENT = 420
const PER_REQUEST = 7
const PAYEE = `0x${'aa'.repeat(20)}`

/** Names of the origin's private files of blocks. */
function blockFiles(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const names: string[] = []
    for await (const folder of root.values()) {
      if (folder.kind !== 'directory' || folder.name !== 'blinknet-blocks') continue
      for await (const name of folder.keys()) names.push(name)
    }
    return names
  })
}

test('a long stored chain has only its newest blocks in memory, and all of them answer, also after a reload', async ({
  playground,
  page,
}) => {
  test.setTimeout(180_000)
  await playground.open()
  const request = (method: string, params: readonly unknown[]) => playground.request(method, params)
  const [from] = (await request('eth_accounts', [])) as readonly string[]
  const call = { from, to: PAYEE, gas: '0x4c4b40', data: `0x${'5a'.repeat(DATA)}` }
  await request('anvil_mine', [`0x${EMPTY.toString(16)}`])
  const hashes: unknown[] = []
  for (let sent = 0; sent < SENT; sent += PER_REQUEST) {
    for (let i = 0; i < PER_REQUEST; i++) hashes.push(await request('eth_sendTransaction', [call]))
    await request('evm_mine', [])
  }
  const memory = async () =>
    ((await request('devnet_getStorage', [])) as { blockMemory: { used: number; budget: number } }).blockMemory
  await expect.poll(async () => (await playground.tick(1), (await memory()).used <= (await memory()).budget)).toBe(true)
  expect((await memory()).budget).toBeLessThan(SENT * DATA)
  expect(await blockFiles(page)).toHaveLength(1)

  const answers = async () => {
    const found: unknown[] = [await request('eth_getLogs', [{ fromBlock: '0x0' }])]
    for (const place of [1, 2, 20]) {
      const number = `0x${(EMPTY + place).toString(16)}`
      found.push(await request('eth_getBlockByNumber', [number, true]))
      found.push(await request('eth_getBlockReceipts', [number]))
      found.push(await request('debug_traceBlockByNumber', [number, { tracer: 'callTracer' }]))
    }
    for (const number of ['0x1', '0x100', '0x1ff', '0x200']) {
      const block = (await request('eth_getBlockByNumber', [number, false])) as { hash: string; number: string }
      expect(block.number).toBe(number)
      found.push(block, await request('eth_getBlockByHash', [block.hash, true]))
    }
    return [...found, await request('eth_getTransactionReceipt', [hashes[0]])]
  }
  const before = await answers()
  expect(before.at(-1)).toMatchObject({ blockNumber: `0x${(EMPTY + 1).toString(16)}`, status: '0x1' })

  await page.reload()
  await playground.ready()
  expect(await answers()).toEqual(before)
  await playground.tick(1)
  await expect.poll(async () => (await memory()).used <= (await memory()).budget).toBe(true)
  // The tab before has left its file.
  expect((await blockFiles(page)).length).toBeLessThanOrEqual(1)
})
