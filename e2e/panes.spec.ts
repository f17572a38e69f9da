import { expectNoFindings } from './axe.ts'
import { deploySource, openContracts, tickWithOne } from './contracts.ts'
import { expect, test, visit } from './playground.ts'

// axe is injected as a string, which the page's policy forbids.
test.use({ bypassCSP: true })

test('the borders of panes are moved by keys and by pointer, and stay where they were put', async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 1600, height: 900 })
  await playground.open({ path: '/rpc-console' })
  const border = page.getByRole('separator', { name: 'Size of methods' })
  const list = page.getByRole('listbox', { name: 'Methods' })
  const width = async () => (await list.boundingBox())?.width ?? 0
  const atFirst = await width()
  await test.step('by keys', async () => {
    await border.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(width).toBeGreaterThan(atFirst + 100)
    await expect(border).toHaveAttribute('aria-valuenow', '32')
    await page.keyboard.press('Home')
    await expect.poll(width).toBeLessThan(atFirst)
    await page.keyboard.press('Enter')
    await expect.poll(width).toBeCloseTo(atFirst, 0)
  })
  await test.step('by pointer, and after a reload', async () => {
    const box = await border.boundingBox()
    if (!box) throw new Error('the border is not drawn')
    await page.mouse.move(box.x + 4, box.y + 200)
    await page.mouse.down()
    await page.mouse.move(box.x + 84, box.y + 200, { steps: 4 })
    await page.mouse.up()
    await expect.poll(width).toBeGreaterThan(atFirst + 60)
    const moved = await width()
    await page.reload()
    await playground.ready()
    await expect.poll(width).toBeCloseTo(moved, 0)
    await border.dblclick()
    await expect.poll(width).toBeCloseTo(atFirst, 0)
    // A click moves nothing, and what was not moved is not kept.
    await border.click({ position: { x: 1, y: 100 } })
    await border.click({ button: 'right', position: { x: 8, y: 100 } })
    await page.mouse.move(box.x + 84, box.y + 200)
    expect(await width()).toBeCloseTo(atFirst, 0)
    expect(await page.evaluate(() => localStorage.getItem('blinknet-panes'))).toBeNull()
  })
  await expectNoFindings(page, 'panes')
})

test('the answer of a request stands beside it, in sight', async ({ playground, page }) => {
  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height })
    await playground.open({ path: '/rpc-console' })
    await playground.runInConsole('eth_getBlockByNumber')
    const run = page.getByRole('button', { name: 'Run', exact: true })
    const answer = page.getByRole('region', { name: 'Result', exact: true }).getByText('"hash"')
    await expect(run).toBeInViewport()
    await expect(answer).toBeInViewport()
    expect((await answer.boundingBox())?.x).toBeGreaterThan((await run.boundingBox())?.x ?? 0)
  }
})

const LONG = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Long {
    uint256 public sum;
    function run(uint256 n) external {
${Array.from({ length: 60 }, (_, i) => `        if (n > ${i}) sum += ${i};`).join('\n')}
    }
}
`

test('the debugger keeps the current line in sight, with its controls, also in a low window', async ({
  playground,
  page,
}) => {
  test.slow()
  await page.setViewportSize({ width: 1280, height: 720 })
  await playground.open()
  await deploySource(playground, LONG, 'Long')
  const run = page.getByRole('article', { name: 'run' })
  await test.step('what was deployed is used beside its code', async () => {
    await expect(page.getByLabel('Deployed contracts')).toBeInViewport()
    await expect(page.getByRole('textbox', { name: 'Solidity source' })).toBeInViewport()
    await expect(page.getByText('About contracts and deploying')).toBeVisible()
  })
  await run.getByLabel('Argument 1: n, uint256').fill('40')
  await run.getByRole('button', { name: 'Send run' }).click()
  await tickWithOne(playground)
  const { transactions } = (await playground.request('eth_getBlockByNumber', ['pending', false])) as {
    transactions: string[]
  }
  await visit(playground, `/tx/${transactions.at(-1)}/debug`)
  const line = page.getByRole('region', { name: /^Source / }).locator('[aria-current=step]')
  const controls = page.getByRole('button', { name: 'Step over', exact: true })
  for (const [width, height] of [
    [1280, 720],
    [1440, 900],
    [1024, 600],
  ] as const) {
    await test.step(`at ${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      for (const name of ['To the start', 'Next storage write', 'Next storage write', 'To the end']) {
        await page.getByRole('button', { name, exact: true }).click()
        await expect(controls).toBeInViewport({ ratio: 1 })
        await expect(page.getByRole('slider', { name: 'Step' })).toBeInViewport({ ratio: 1 })
        if (await line.count()) await expect(line).toBeInViewport({ ratio: 1 })
      }
      expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0)
    })
  }
  await expectNoFindings(page, 'debugger with a source')
})

test('explanations for beginners are open until the first deployment of this browser', async ({ playground, page }) => {
  await playground.open()
  await openContracts(playground)
  await expect(page.getByText(/^A contract is a program on the chain/)).toBeVisible()
  await page.getByRole('button', { name: 'Compile', exact: true }).click()
  await page.getByRole('button', { name: 'Deploy Counter' }).click({ timeout: 60_000 })
  await tickWithOne(playground)
  await expect(page.getByText(/^A contract is a program on the chain/)).toBeHidden()
  await page.getByText('About contracts and deploying').click()
  await expect(page.getByText(/^A contract is a program on the chain/)).toBeVisible()
  await page.reload()
  await playground.ready()
  await expect(page.getByText('About contracts and deploying')).toBeVisible()
  await expect(page.getByText(/^A contract is a program on the chain/)).toBeHidden()
})
