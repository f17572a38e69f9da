import { expectNoFindings } from './axe.ts'
import { expect, test, visit } from './playground.ts'
import { deployToken, tokenAbi } from './token.ts'

test('the story works by keyboard, and is announced', async ({ playground, page }) => {
  await playground.open()
  await test.step('the whole story works by keyboard', async () => {
    await playground.sendButton.focus()
    const hash = await playground.sendTransferBy(() => page.keyboard.press('Enter'))
    await page.keyboard.press('.')
    await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed/)
  })

  await test.step('changes of an own transaction are announced politely', async () => {
    const hash = await playground.sendTransfer()
    await playground.tick()
    const announcement = page.getByText(`Transaction ${hash.slice(0, 6)}…${hash.slice(-4)} pre-confirmed in block 1`)
    await expect(announcement).toHaveAttribute('aria-live', 'polite')
  })

  await test.step('what keys do is announced, also when it is the same once more', async () => {
    const said = () => page.locator('[aria-live=polite]').evaluate((region) => region.textContent)
    await page.keyboard.press('f')
    await expect.poll(said).toBe('View frozen')
    await page.keyboard.press('f')
    await expect.poll(said).toBe('The view follows the chain again')
    await page.keyboard.press('.')
    await expect.poll(said).toBe('One partial block added')
    await page.keyboard.press('.')
    await expect.poll(said).toBe('One partial block added\u00a0')
  })
})

test.describe('axe finds nothing', () => {
  // axe is injected as a string, which the page's policy forbids.
  test.use({ bypassCSP: true })

  test('in the dialogs to fork a chain and to verify a contract, nor in what Sourcify says of it', async ({
    playground,
    page,
  }) => {
    await playground.open()
    const { address } = await deployToken(playground)
    await playground.tick()
    await page.getByRole('button', { name: /^Chain: / }).click()
    await page.getByRole('button', { name: 'Fork a chain…' }).click()
    await expect(page.getByRole('dialog', { name: 'Fork a chain' })).toBeVisible()
    await expectNoFindings(page, 'fork')
    await page.keyboard.press('Escape')

    await visit(playground, `/address/${address}/source`)
    await page.getByRole('button', { name: 'Verify with its sources…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Verify with its sources' })
    await dialog.getByLabel(/^Or a zip file/).setInputFiles({
      name: 'token.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(ANSWER)),
    })
    await expect(
      dialog.getByText('Chosen: Token, compiled by solc 0.8.19+commit.7dd6d404, with 1 source.'),
    ).toBeVisible()
    await expectNoFindings(page, 'verify')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectNoFindings(page, 'verify, dark', 'colour')

    await dialog.getByRole('button', { name: 'Use it unverified' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(/^Not verified: nothing shows that the code was made of these sources/)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Source Token.sol' })).toContainText('contract Token')
    await expectNoFindings(page, 'source')
    // The source's ABI is the contract's from now on.
    await page.getByRole('tab', { name: 'Contract', exact: true }).click()
    await expect(page.getByRole('article', { name: 'balanceOf' })).toBeVisible()
    await expect(page.getByText(/known by selector/)).toBeHidden()
  })
})

/** An answer of Sourcify's API, for a contract of another compiler. */
const ANSWER = {
  abi: tokenAbi,
  compilation: {
    compilerVersion: '0.8.19+commit.7dd6d404',
    language: 'Solidity',
    fullyQualifiedName: 'Token.sol:Token',
  },
  stdJsonInput: { sources: { 'Token.sol': { content: 'contract Token {}' } }, settings: {} },
}

test.describe('with forced colours', () => {
  test.use({ forcedColors: 'active' })

  test('what is chosen is seen', async ({ playground, page }) => {
    await playground.open({ clock: 'auto' })
    const fill = (element: Element) => getComputedStyle(element).backgroundColor
    const nav = page.getByRole('navigation', { name: 'Screens' })
    expect(await nav.getByRole('link', { name: 'Live' }).evaluate(fill)).not.toBe(
      await nav.getByRole('link', { name: 'Send' }).evaluate(fill),
    )
    await playground.chainButton.click()
    const speeds = page.getByRole('group', { name: 'Speed' })
    expect(await speeds.getByText('1×', { exact: true }).evaluate(fill)).not.toBe(
      await speeds.getByText('5×', { exact: true }).evaluate(fill),
    )
  })
})

test('single-letter shortcuts can be switched off, and Space scrolls', async ({ playground, page }) => {
  await playground.open({ clock: 'auto' })
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.keyboard.press(' ')
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
  expect(await playground.request('devnet_status')).toMatchObject({ paused: false })
  await page.keyboard.press('p')
  await expect(page.getByText('Chain status: Paused')).toBeAttached()
  await expect(page.getByText('Chain paused', { exact: true })).toBeAttached()
  await visit(playground, '/settings')
  await page.getByRole('group', { name: 'Single-key shortcuts' }).getByText('Off').click()
  await page.locator('body').press('p')
  await page.keyboard.press('f')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search and commands' })).toBeVisible()
  await expect(page.getByText('Chain status: Paused')).toBeAttached()
  await expect(page.getByRole('region', { name: 'Frozen view' })).toBeHidden()
})

test('no screen scrolls sideways at 320 pixels', async ({ playground, page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await playground.open()
  for (const path of ['/', '/send', '/rpc-console', '/settings', '/block/pending']) {
    await visit(playground, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: path })
      .toBeLessThanOrEqual(0)
  }
})
