import { AS_VISITOR, expect, Playground, test } from './playground.ts'
import { startStaticHost } from './static-host.ts'

test.use(AS_VISITOR)

test('the page’s policy refuses markup and code made from text, and every refusal is reported', async ({
  playground,
  page,
}) => {
  await playground.open()
  const [outcomes, reported] = await page.evaluate(() => {
    const attempt = (act: () => unknown) => {
      try {
        act()
        return 'done'
      } catch (error) {
        return (error as Error).name
      }
    }
    // Reports arrive after the refusals, in separate tasks: for each, one by the host's policy and one by the page's.
    const allReported = new Promise<readonly string[]>((resolve) => {
      const directives: string[] = []
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        directives.push(effectiveDirective)
        if (directives.length === 10) resolve(directives)
      })
    })
    const trusted = window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
    const refused = new Promise((resolve) => {
      // In a separate task of the page, since the debugger may evaluate text.
      setTimeout(() =>
        resolve({
          markup: attempt(() => {
            document.body.innerHTML = '<b>from text</b>'
          }),
          // oxlint-disable-next-line no-eval
          code: attempt(() => (0, eval)('1 + 1')),
          worker: attempt(() => new Worker('/assets/worker.js')),
          script: attempt(() => {
            document.createElement('script').src = '/sw.js'
          }),
          policy: attempt(() => trusted.trustedTypes.createPolicy('another', {})),
        }),
      )
    })
    return Promise.all([refused, allReported])
  })
  expect(outcomes).toEqual({
    markup: 'TypeError',
    code: 'EvalError',
    worker: 'TypeError',
    script: 'TypeError',
    policy: 'TypeError',
  })
  expect(reported.filter((directive) => directive === 'require-trusted-types-for')).toHaveLength(8)
  expect(reported.filter((directive) => directive === 'trusted-types')).toHaveLength(2)
  for (const directive of ['require-trusted-types-for', 'trusted-types']) {
    await expect
      .poll(() => playground.complaints)
      .toContainEqual(expect.stringMatching(`^policy violated: ${directive}`))
  }
  playground.complaints.length = 0
})

test('on a static host with _headers, workers are under the policy, and only its own site can frame the page', async ({
  page,
}) => {
  const host = await startStaticHost({ folder: 'dist/page' })
  try {
    const playground = new Playground(page)
    const worker = page.waitForResponse(/\/assets\/node-worker-.*\.js$/)
    await page.goto(host.url)
    await playground.ready()
    expect((await worker).headers()['content-security-policy']).toContain("default-src 'none'")
    const document = await page.request.get(host.url)
    expect(document.headers()).toMatchObject({
      'content-security-policy': "frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    })
    expect(playground.complaints).toEqual([])
  } finally {
    await host.close()
  }
})

test('the licenses of everything in the build are one click away, the compiler’s among them', async ({
  playground,
  page,
}) => {
  await playground.open({ path: '/settings' })
  const notices = page.getByRole('link', { name: 'Licenses of the software in this page' })
  const text = await (await page.request.get((await notices.getAttribute('href')) ?? '')).text()
  for (const name of ['solc', 'react', '@ethereumjs/evm', 'viem']) expect(text).toContain(`\n${name} `)
  expect(text).toContain('Mozilla Public License')
  expect(text).toContain('https://github.com/ethereum/solidity/tree/v')
  const gpl = await page.request.get('/licenses/GPL-3.0.txt')
  expect(await gpl.text()).toContain('GNU GENERAL PUBLIC LICENSE')
})
