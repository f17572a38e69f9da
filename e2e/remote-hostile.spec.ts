import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from './playground.ts'

const HASH = `0x${'1'.repeat(64)}`
const BLOCK = { number: '0x1', hash: HASH, timestamp: '0x5', gasUsed: '0x0', gasLimit: '0x1000', transactions: [] }

/** A server on a free port with the test's answers; it ends with the test. */
const hostile = test.extend<{ serve: (answers: Record<string, unknown>) => Promise<string> }>({
  serve: async ({ page }, use) => {
    const servers: ReturnType<typeof createServer>[] = []
    await use(async (answers) => {
      const server = createServer((request, response) => {
        response.setHeader('Access-Control-Allow-Origin', '*')
        response.setHeader('Access-Control-Allow-Headers', '*')
        let body = ''
        request.on('data', (chunk: Buffer) => {
          body += chunk.toString()
        })
        request.on('end', () => {
          if (request.method === 'OPTIONS') return response.end()
          const { id, method } = JSON.parse(body) as { id: number; method: string }
          const known = Object.hasOwn(answers, method)
          const outcome = known ? { result: answers[method] } : { error: { code: -32601, message: 'unknown' } }
          response.setHeader('Content-Type', 'application/json')
          return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
        })
      }).listen(0, '127.0.0.1')
      servers.push(server)
      await once(server, 'listening')
      const address = server.address()
      if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
      return `http://127.0.0.1:${address.port}`
    })
    await page.close()
    for (const server of servers) server.close()
  },
})

const PLAIN = { eth_chainId: '0x1', eth_accounts: [], web3_clientVersion: 'hostile/1' }

for (const [what, block] of [
  ['null among its transactions', { ...BLOCK, transactions: [null] }],
  ['__proto__ among its transactions', { ...BLOCK, transactions: ['__proto__'] }],
  ['no hash', { ...BLOCK, hash: 7 }],
  ['an impossible time', { ...BLOCK, timestamp: `0x${'f'.repeat(60)}` }],
] as const) {
  hostile(`A13: a remote chain whose block has ${what} leads to an error screen`, async ({ page, serve }) => {
    const url = await serve({ ...PLAIN, eth_getBlockByNumber: block, eth_blockNumber: '0x1' })
    await page.goto(`/?rpc=${encodeURIComponent(url)}`)
    await expect(page.getByRole('heading', { name: 'The endpoint refused' })).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('eth_getBlockByNumber is invalid')
    await expect(page.getByRole('button', { name: 'Back to the built-in chain' })).toBeVisible()
  })
}

hostile('A13: a remote chain with an invalid status is shown without it', async ({ page, serve }) => {
  const url = await serve({ ...PLAIN, eth_getBlockByNumber: BLOCK, eth_blockNumber: '0x1', devnet_status: 0 })
  await page.goto(`/?rpc=${encodeURIComponent(url)}`)
  await expect(page.getByRole('link', { name: /Block 1|#1/ }).first()).toBeVisible()
})
