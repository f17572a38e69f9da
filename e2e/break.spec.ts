import type { Page } from '@playwright/test'
import { expectNoFindings, expectNoFindingsInBothThemes } from './axe.ts'
import { expect, test, visit } from './playground.ts'
import { expectStageFits } from './stage.ts'

const tree = (page: Page) => page.getByRole('tree', { name: 'Histories' })
const chosen = (page: Page) => tree(page).getByRole('treeitem', { selected: true })
const shows = (page: Page, dapp: string) => page.getByRole('figure', { name: dapp })
const run = (page: Page) => page.getByRole('button', { name: 'Run every history' })

test.describe('with axe', () => {
  test.use({ bypassCSP: true })

  test('one press shows every history of a payment, which keys walk through, and leaves the chain alone', async ({
    playground,
    page,
  }) => {
    await playground.open({ path: '/break' })
    await expect(page.getByRole('heading', { level: 1, name: 'Break the promise' })).toBeVisible()
    await expectNoFindings(page, 'before a run')
    const before = await playground.request('devnet_status')
    await run(page).click()
    await expect(page.getByRole('heading', { name: '22 histories' })).toBeVisible()
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    await expect(tree(page).getByRole('treeitem')).toHaveCount(22)
    await expect(page.getByText(/The careless dapp is wrong in 14, the careful one in 0\./)).toBeVisible()
    expect(await playground.request('devnet_status')).toEqual(before)
    await expectNoFindingsInBothThemes(page, 'every history')

    await test.step('the arrows go from branch to branch and back to the trunk, and the address goes along', async () => {
      await expect(chosen(page)).toHaveAccessibleName(/^Promise kept: mempool, pre-confirmed, sealed\./)
      await chosen(page).focus()
      await page.keyboard.press('ArrowUp')
      await expect(chosen(page)).toBeFocused()
      await expect(chosen(page)).toHaveAccessibleName(/^Lost after 2,200 ms: .*“Paid” for ever, and nothing was paid\./)
      await expect(page).toHaveURL(/\/break\/subscribing\/lose@11\?/)
      await expect(page.getByRole('heading', { name: 'Lost after 2,200 ms' })).toBeVisible()
      await expect(shows(page, 'Careless dapp')).toContainText('It says “Paid” for ever, and nothing was paid.')
      await page.keyboard.press('Home')
      await expect(chosen(page)).toHaveAccessibleName(/^Taken late/)
      await page.keyboard.press('ArrowLeft')
      await expect(chosen(page)).toHaveAccessibleName(/^Promise kept/)
      await expect(chosen(page)).toBeFocused()
      await page.keyboard.press('End')
      await expect(chosen(page)).toHaveAccessibleName(/^Stream breaks/)
    })

    await test.step('the screens of both dapps go with the moment', async () => {
      await page.getByRole('treeitem', { name: /^Withdrawn after 200 ms/ }).click()
      const moment = page.getByRole('slider', { name: 'Moment of the history' })
      await moment.fill('0')
      await expect(shows(page, 'Careless dapp')).toContainText('Paying…')
      await moment.fill('1')
      await expect(shows(page, 'Careless dapp')).toContainText('Paid')
      await expect(shows(page, 'Careful dapp')).toContainText('Waiting for the chain')
      await moment.fill('20')
      await expect(shows(page, 'Careful dapp')).toContainText('Paid')
    })

    await test.step('what was said is in its order: the dapp believes, then the fault strikes', async () => {
      const said = page.getByRole('list', { name: 'What the careless dapp sees' }).getByRole('listitem')
      const lines = await said.allInnerTexts()
      const at = (part: string) => lines.findIndex((line) => line.includes(part))
      expect(at('eth_sendTransaction')).toBeGreaterThan(at('Paying…'))
      expect(at('shows “Paid”')).toBeGreaterThan(at('1 transaction'))
      expect(at('The fault strikes')).toBeGreaterThan(at('shows “Paid”'))
    })

    await test.step('two faults make more histories, below the branch of the first', async () => {
      await page.getByText('Two faults', { exact: true }).click()
      await expect(page.getByRole('progressbar', { name: 'Histories' })).toBeVisible()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('heading', { name: '22 histories' })).toBeVisible()
      await expect(page.getByRole('radio', { name: 'One fault' })).toBeChecked()
    })
  })
})

test('a link opens the same history elsewhere, with the code that runs it', async ({ playground, page }) => {
  await playground.open({ path: '/break/polling/lost-answer@send1' })
  await expect(page.getByRole('heading', { name: '16 histories' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Answer lost' })).toBeVisible()
  await expect(shows(page, 'Careless dapp')).toContainText('It paid twice.')
  await expect(shows(page, 'Careful dapp')).toContainText('It says “Paid” once that is so.')
  await expect(page.getByText("test.use({ faults: { fate: 'lost-answer@send1' } })")).toBeVisible()
  await page.getByRole('radio', { name: 'Node.js' }).check()
  await expect(page.getByText("await fates({ fate: 'lost-answer@send1' }")).toBeVisible()

  await test.step('one that no search has found is run as well', async () => {
    await visit(playground, '/break/polling/withdraw@5')
    await expect(page.getByRole('heading', { name: 'Withdrawn after 1,000 ms' })).toBeVisible()
  })

  await test.step('one of two faults is run among all of two', async () => {
    await visit(playground, '/break/polling/withdraw@2,lose@3')
    // The search for them takes nine seconds of a core that is free.
    await expect(page.getByRole('heading', { name: 'Withdrawn after 400 ms, then lost after 600 ms' })).toBeVisible({
      timeout: 90_000,
    })
    await expect(page.getByRole('heading', { name: /^9\d histories$/ })).toBeVisible()
    await expect(chosen(page)).toHaveAttribute('aria-level', '3')
    await page.getByRole('treeitem', { selected: true }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(chosen(page)).toHaveAccessibleName(/^Withdrawn after 400 ms:/)
    await expect(chosen(page)).toHaveAttribute('aria-expanded', 'true')
  })

  await test.step('one that names no history says what is wrong with it', async () => {
    await visit(playground, '/break/polling/vanish@5')
    await expect(page.getByRole('region', { name: 'This link names no history' })).toContainText(
      'there is no fault "vanish"',
    )
  })
})

test('it is reached from the faults and by the palette, and fits the narrowest phone', async ({ playground, page }) => {
  await playground.open()
  await page.getByRole('link', { name: 'Every way it can break' }).click()
  await expect(run(page)).toBeVisible()
  await visit(playground, '/')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('break the promise')
  await page.keyboard.press('Enter')
  await page.setViewportSize({ width: 320, height: 640 })
  await run(page).click()
  await expect(tree(page)).toBeVisible()
  await tree(page)
    .getByRole('treeitem', { name: /^Reorg/ })
    .click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: /^Reorg after 2,200 ms/ }).click()
  await expect(page.getByRole('heading', { name: 'Reorg after 2,200 ms' })).toBeInViewport()
})

test('the stage shows the histories that were chosen, side by side in the same time', async ({ playground, page }) => {
  await playground.open({ path: '/break/subscribing/reorg@11' })
  await page.getByRole('button', { name: 'Put on the stage' }).click()
  await expect(page.getByRole('button', { name: 'On the stage', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/?view=projector&clock=manual')
  await playground.ready()
  const title = page.getByText(/^\d of 8 · /)
  await page.getByRole('button', { name: 'Begin the scenes' }).click()
  await expect(async () => {
    await page.keyboard.press('PageDown')
    await expect(title).toHaveText('6 of 8 · Every way it can go', { timeout: 500 })
  }).toPass()
  const columns = page.getByRole('region', { name: /^(Withdrawn|Stream|Reorg)/ })
  await expect(columns).toHaveCount(3)
  const reorg = page.getByRole('region', { name: 'Reorg after 2,200 ms' })
  await expect(reorg.getByText('It says “Paid” for 0.2 s while nothing is paid.')).toBeVisible()
  await expectStageFits(page)
  await page.keyboard.press('a')
  await expect(reorg.getByText('Paying…').first()).toBeVisible()
})

test('a chain that cannot start says so, and a press tries again', async ({ playground, page }) => {
  await playground.open({ path: '/break' })
  await page.evaluate(() => {
    const real = window.Worker
    const construct = () => {
      Object.assign(window, { Worker: real })
      throw new Error('no more workers')
    }
    Object.assign(window, { Worker: new Proxy(real, { construct }) })
  })
  await run(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'no more workers' })).toBeVisible()
  await run(page).click()
  await expect(tree(page)).toBeVisible()
  await expect(page.getByText('no more workers')).toHaveCount(0)
})
