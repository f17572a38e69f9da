import { expect, test } from './playground.ts'

test('markup and code from text are refused by the page’s policy, and every refusal is reported', async ({
  playground,
  page,
}) => {
  await playground.open()
  const outcomes = await page.evaluate(() => {
    const attempt = (act: () => unknown) => {
      try {
        act()
        return 'done'
      } catch (error) {
        return (error as Error).name
      }
    }
    const trusted = window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
    return new Promise((resolve) => {
      // In a task of the page's own: the debugger may evaluate text.
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
  })
  expect(outcomes).toEqual({
    markup: 'TypeError',
    code: 'EvalError',
    worker: 'TypeError',
    script: 'TypeError',
    policy: 'TypeError',
  })
  for (const directive of ['require-trusted-types-for', 'trusted-types']) {
    expect(playground.complaints).toContainEqual(expect.stringMatching(`^policy violated: ${directive}`))
  }
  playground.complaints.length = 0
})
