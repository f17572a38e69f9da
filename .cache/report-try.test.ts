import { writeFile } from 'node:fs/promises'
import { test } from 'vitest'
import { createChain } from '#library/index.ts'
import { fromBase64 } from '#primitives/base64.ts'
import { filmReport, reportOf } from '#server/report/report-page.ts'
import { cleanRecord } from '#report/test-record.ts'
test('make', async () => {
  const chain = await createChain({ clock: 'manual' })
  const [from = '0x', to = '0x'] = await chain.request({ method: 'eth_accounts' })
  const partials: unknown[] = []
  const t0 = Date.now()
  let t = t0
  const tick = async (n: number) => { for (let i = 0; i < n; i++) { await chain.tick(); t += 130; const b = (await chain.request({ method: 'devnet_status' })) as any; partials.push({ atMs: t, number: Number(b.live?.number ?? 0), index: b.live?.index ?? 0 }) } }
  const send = () => chain.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] } as any)
  await send(); await tick(4); await send(); await send(); await tick(12); await send(); await tick(9)
  console.log(JSON.stringify(await chain.request({ method: 'devnet_status' })).slice(0, 600))
  const file = await chain.exportChain()
  await writeFile('.cache/try/film.html', await filmReport('chain.blinknet', file, 'dist/report'))
  const step = (title: string, a: number, d: number, more: object = {}) => ({ title, category: 'pw:api', startedAtMs: t0 + a, tookMs: d, error: '', place: 'shop.spec.ts:12', steps: [], ...more })
  await writeFile('.cache/try/test.html', await reportOf(cleanRecord({
    titles: ['shop.spec.ts', 'checkout', 'a payment is shown as final only once it is sealed'], project: 'chromium', place: 'shop.spec.ts:10', status: 'failed', startedAtMs: t0, tookMs: 3600,
    errors: [{ message: 'Error: expect(locator).toHaveText(expected) failed\n\nLocator:  getByRole("status")\nExpected: "Sealed"\nReceived: "Done"\nTimeout:  5000ms', snippet: '  10 | test(…)\n> 12 | await expect(status).toHaveText("Sealed")\n     | ^', stack: 'at shop.spec.ts:12' }],
    steps: [step('Before Hooks', 0, 80, { category: 'hook' }), step('Navigate to "/"', 100, 220), step('pay', 330, 900, { category: 'test.step', steps: [step('Click getByRole("button", { name: "Pay" })', 340, 90), step('Expect "toBeVisible"', 450, 700, { category: 'expect' })] }), step('Expect "toHaveText"', 1300, 2200, { category: 'expect', error: 'Expected: "Sealed"' }), step('After Hooks', 3510, -1, { category: 'hook' })],
    lines: [{ atMs: t0 + 200, kind: 'log', text: 'connected 0x…' }, { atMs: t0 + 1200, kind: 'error', text: 'nonce is too low‮gnp.exe' }], pictures: [], chains: [{ name: 'chain', partials }],
  }), [file], 'dist/report'))
  await chain.close()
})
