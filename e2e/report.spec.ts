import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { expectNoFindings } from './axe.ts'
import { type FailedTest, failTest } from './failed-test.ts'

let failed: FailedTest
test.beforeAll(async () => {
  failed = await failTest()
})
test.afterAll(() => failed.remove())
test.use({ offline: true })

/** Opens a file, and tells what it asks of a network and what it says has gone wrong. */
async function open(page: Page, file: string): Promise<{ readonly asked: string[]; readonly wrong: string[] }> {
  const asked: string[] = []
  const wrong: string[] = []
  page.on('request', (request) => {
    if (!/^(file|blob|data):/.test(request.url())) asked.push(request.url())
  })
  page.on('pageerror', ({ message }) => wrong.push(message))
  page.on('console', (line) => {
    if (line.type() === 'error') wrong.push(line.text())
  })
  page.on('dialog', (dialog) => {
    wrong.push(`alert: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(pathToFileURL(file).href)
  return { asked, wrong }
}

const placeOf = (page: Page) => page.getByRole('region', { name: 'Film' }).getByText(/^Block \d+, partial block \d+$/)
const stepsOf = (page: Page) => page.getByRole('list', { name: 'Steps' }).getByRole('button')

test('the report of a failed test opens from a disk, and at each step the chain is as it was', async ({ page }) => {
  const { asked, wrong } = await open(page, failed.report)
  const column = page.getByRole('complementary', { name: 'Test' })
  await expect(column.getByRole('heading', { level: 1 })).toHaveText('a payment is shown as paid once it is sealed')
  await expect(column.getByRole('region', { name: 'Failure' })).toContainText('Expected: "Sealed"')
  await test.step('it begins at the step that failed', async () => {
    await expect(stepsOf(page).and(page.locator('[aria-current=step]'))).toHaveAccessibleName(
      /^Expect "toHaveText".*failed/,
    )
    await expect(placeOf(page)).toHaveText('Block 2, partial block 4')
    await expect(page.getByRole('region', { name: 'Pending block' })).toContainText('Block #2')
    await expect(page.getByRole('table', { name: 'Transactions' }).getByRole('row', { name: /^Sealed/ })).toHaveCount(1)
  })
  await test.step('after the press the transaction waits, and no partial block has it', async () => {
    await stepsOf(page)
      .filter({ hasText: /^Click/ })
      .click()
    await expect(placeOf(page)).toHaveText('Block 1, partial block 1')
    await expect(page.getByRole('region', { name: 'Pending block' })).toContainText('Block #1')
    await expect(
      page.getByRole('table', { name: 'Transactions' }).getByRole('row', { name: /^(Sealed|Pre-)/ }),
    ).toHaveCount(0)
    await expect(column.getByRole('img', { name: /^The page at/ })).toBeVisible()
    await expect(column.getByRole('region', { name: 'Console of the page' })).toContainText(
      '\\u{202e}gnp.exe </script>',
    )
  })
  await test.step('at the next step it is pre-confirmed', async () => {
    await page.keyboard.press('ArrowDown')
    await expect(placeOf(page)).toHaveText('Block 1, partial block 2')
    const row = page.getByRole('table', { name: 'Transactions' }).getByRole('row', { name: /^Pre-confirmed/ })
    await row.getByRole('link').first().click()
    await expect(page.getByRole('heading', { name: /Transaction/ })).toBeVisible()
    await page
      .getByRole('tab', { name: 'State' })
      .or(page.getByRole('link', { name: 'State' }))
      .first()
      .click()
    await expect(page.getByRole('main')).toContainText('Nonce')
  })
  await expectNoFindings(page, 'a report')
  expect({ asked, wrong }).toEqual({ asked: [], wrong: [] })
})

for (const width of [1280, 1121, 1000, 390, 320]) {
  test(`a report shows all of itself in a window of ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 720 })
    await open(page, failed.report)
    await expect(placeOf(page)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Pending block' })).toBeAttached()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    const sides = await page
      .getByRole('complementary', { name: 'Test' })
      .getByRole('button')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right))
    expect(Math.max(...sides)).toBeLessThanOrEqual(width)
  })
}

test('open --html writes the film of a chain file as a file that opens from a disk', async ({ page }) => {
  const written = path.join(path.dirname(failed.chain), 'film.html')
  const said = execFileSync(process.execPath, ['dist/server/main.js', 'open', failed.chain, '--html', written])
  expect(String(said)).toContain(`${written}: `)
  const { asked, wrong } = await open(page, written)
  const film = page.getByRole('region', { name: 'Film' })
  const slider = film.getByRole('slider', { name: 'Moment' })
  await expect(slider).toHaveAttribute('aria-valuetext', /^block 1, partial block 2, moment 2 of/)
  await expect(film).toContainText('chain.blinknet')
  await slider.press('End')
  await expect(slider).toHaveAttribute('aria-valuetext', /^block 2, partial block 4/)
  await expect(page.getByRole('complementary', { name: 'Test' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Leave the film' })).toHaveCount(0)
  expect({ asked, wrong }).toEqual({ asked: [], wrong: [] })
})
