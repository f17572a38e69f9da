import { type Serve, serving } from './json-rpc-server.ts'
import { expect, test } from './playground.ts'

const HASH = `0x${'1'.repeat(64)}`
const BLOCK = { number: '0x1', hash: HASH, timestamp: '0x5', gasUsed: '0x0', gasLimit: '0x1000', transactions: [] }

/** A server with the test's answers, and no other methods. */
const hostile = test.extend<{ serve: Serve; serveAnswers: (answers: Record<string, unknown>) => Promise<string> }>({
  serve: serving,
  serveAnswers: ({ serve }, use) =>
    use(async (answers) => {
      const { url } = await serve(({ method }) => {
        if (Object.hasOwn(answers, method)) return answers[method]
        throw Object.assign(new Error('unknown'), { code: -32601 })
      })
      return url
    }),
})

const PLAIN = { eth_chainId: '0x1', eth_accounts: [], web3_clientVersion: 'hostile/1' }

hostile('a remote chain with invalid answers harms no page', async ({ page, serveAnswers }) => {
  for (const [what, block] of [
    ['null among its transactions', { ...BLOCK, transactions: [null] }],
    ['__proto__ among its transactions', { ...BLOCK, transactions: ['__proto__'] }],
    ['no hash', { ...BLOCK, hash: 7 }],
    ['an impossible time', { ...BLOCK, timestamp: `0x${'f'.repeat(60)}` }],
  ] as const) {
    await test.step(`a remote chain whose block has ${what} leads to an error screen`, async () => {
      const url = await serveAnswers({ ...PLAIN, eth_getBlockByNumber: block, eth_blockNumber: '0x1' })
      await page.goto(`/?rpc=${encodeURIComponent(url)}`)
      await expect(page.getByRole('heading', { name: 'The endpoint refused' })).toBeVisible()
      await expect(page.getByRole('alert')).toContainText('eth_getBlockByNumber is invalid')
      await expect(page.getByRole('button', { name: 'Back to the built-in chain' })).toBeVisible()
    })
  }

  await test.step('a remote chain with an invalid status is shown without it', async () => {
    const url = await serveAnswers({ ...PLAIN, eth_getBlockByNumber: BLOCK, eth_blockNumber: '0x1', devnet_status: 0 })
    await page.goto(`/?rpc=${encodeURIComponent(url)}`)
    await expect(page.getByRole('link', { name: /Block 1|#1/ }).first()).toBeVisible()
  })
})

hostile('a list whose first page failed is read again when asked', async ({ page, serve }) => {
  let calls = 0
  const { url } = await serve(({ method }) => {
    const answers: Record<string, unknown> = { ...PLAIN, eth_getBlockByNumber: BLOCK, eth_blockNumber: '0x1' }
    if (method === 'eth_getLogs') {
      calls++
      if (calls === 1) throw Object.assign(new Error('too many calls at once'), { code: -32005 })
      return []
    }
    if (Object.hasOwn(answers, method)) return answers[method]
    throw Object.assign(new Error('unknown'), { code: -32601 })
  })
  await page.goto(`/explore/events?rpc=${encodeURIComponent(url)}`)
  await expect(page.getByRole('alert')).toContainText('too many calls at once')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'No events yet' })).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
})
