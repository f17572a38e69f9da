import type { Locator, Page } from '@playwright/test'
import { expect, Playground, test, visit } from './playground.ts'

const tour = (page: Page) => page.getByRole('region', { name: 'Guided tour' })
const press = (page: Page, name: string | RegExp) => tour(page).getByRole('button', { name }).click()
const said = (page: Page) => tour(page).getByRole('status')
const titled = (page: Page, name: string) => tour(page).getByRole('heading', { name })

async function startTour(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Tour', exact: true }).getByRole('button', { name: 'Start the tour' }).click()
  await expect(titled(page, 'Send a transaction')).toBeFocused()
}

/** Starts the tour where its offer is gone, or while it runs. */
async function startAgain(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('start the tour')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
}

async function statusOf(playground: Playground): Promise<{ paused: boolean; speed: number }> {
  const { paused, speed } = (await playground.request('devnet_status')) as { paused: boolean; speed: number }
  return { paused, speed }
}

const PHONES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
]

test('on a phone no step of the tour cuts off its buttons or hides what it explains', async ({ playground, page }) => {
  const mempool = page.getByRole('region', { name: 'Mempool', exact: true })
  for (const [i, phone] of PHONES.entries()) {
    await page.setViewportSize(phone)
    if (i === 0) {
      await playground.open()
      await startTour(page)
    } else {
      await page.keyboard.press('Escape')
      await expect(tour(page)).toBeHidden()
      await startAgain(page)
      await expect(titled(page, 'Send a transaction')).toBeFocused()
    }
    const top = await tour(page).evaluate((panel) => panel.getBoundingClientRect().top)
    expect(await mempool.evaluate((region) => region.getBoundingClientRect().bottom)).toBeLessThanOrEqual(top)
  }
  for (const name of [
    /^Send/,
    'Next: a tick',
    'Step',
    'Next: its receipt',
    'Next: the seal',
    'Seal now',
    'Next: can it be undone?',
    'Remove the block',
    'Finish',
  ]) {
    const button = tour(page).getByRole('button', { name })
    await expect(button).toBeVisible()
    for (const phone of PHONES) {
      await page.setViewportSize(phone)
      const message = `${name} at ${phone.width} × ${phone.height}`
      await expect.poll(() => cutOff(button), { message }).toEqual({ below: 0, right: 0 })
    }
    await button.click()
  }
  await expect(tour(page)).toBeHidden()
})

/** How many CSS pixels of a button are outside the tour's panel. */
function cutOff(button: Locator): Promise<{ below: number; right: number }> {
  return button.evaluate((element) => {
    const [inner, panel] = [element.getBoundingClientRect(), element.closest('section')?.getBoundingClientRect()]
    if (!panel) throw new Error('the button is not in the tour')
    return { below: Math.max(0, inner.bottom - panel.bottom), right: Math.max(0, inner.right - panel.right) }
  })
}

const DESKTOPS = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 820, height: 1180 },
  { width: 900, height: 700 },
]

test('the card covers nothing that it points at', async ({ playground, page }) => {
  for (const desktop of DESKTOPS) {
    await page.setViewportSize(desktop)
    await playground.open()
    await page.evaluate(() => localStorage.clear())
    await playground.open()
    await startTour(page)
    for (const name of [
      /^Send/,
      'Next: a tick',
      'Step',
      'Next: its receipt',
      'Next: the seal',
      'Seal now',
      'Next: can',
      'Remove',
    ]) {
      const message = `${name} at ${desktop.width} × ${desktop.height}`
      await expect.poll(() => covered(page), { message }).toBe(0)
      await tour(page).getByRole('button', { name }).click()
    }
  }
})

/** Area of the pointed part that the card covers, in square CSS pixels. */
function covered(page: Page): Promise<number> {
  return tour(page).evaluate((panel) => {
    const card = panel.getBoundingClientRect()
    const [part] = [...document.querySelectorAll('main section')].filter((one) => one.matches('[data-pointed]'))
    if (!part) throw new Error('the tour points at nothing')
    const shown = part.getBoundingClientRect()
    const width = Math.min(card.right, shown.right) - Math.max(card.left, shown.left)
    const height = Math.min(card.bottom, shown.bottom) - Math.max(card.top, shown.top)
    return Math.max(0, width) * Math.max(0, height)
  })
}

test('on a running clock it waits for real ticks, slowly, and restores the clock at its end', async ({
  playground,
  page,
}) => {
  await playground.open({ clock: 'auto' })
  await startTour(page)
  expect(await statusOf(playground)).toMatchObject({ paused: true })
  await press(page, /^Send/)
  await press(page, 'Next: a tick')
  await test.step('times are chain time, not the time that the slow clock took', async () => {
    await expect(said(page)).toHaveText(
      /^It is in partial block \d of block #\d+: \d{1,3} ms after .* at full speed\.$/,
    )
    await expect(page.getByRole('region', { name: 'Your last transaction' })).toContainText(
      /^Pre-confirmed\d{1,3} ms.*At full speed; the clock was slower\./,
    )
  })
  await expect.poll(() => statusOf(playground)).toEqual({ paused: true, speed: 0.1 })
  await press(page, 'Next: its receipt')
  await press(page, 'Next: the seal')
  await expect(said(page)).toHaveText(/^Block #\d+ is sealed/)
  await expect.poll(() => statusOf(playground)).toEqual({ paused: true, speed: 0.5 })
  await test.step('Back shows the step before, and the clock stays', async () => {
    await press(page, 'Back')
    await expect(titled(page, 'The receipt comes before the seal')).toBeFocused()
    await press(page, 'Next: the seal')
    await expect.poll(() => statusOf(playground)).toEqual({ paused: true, speed: 0.5 })
  })
  await press(page, 'Next: can it be undone?')
  await test.step('it ends with one at full speed, and with words to forward', async () => {
    await press(page, 'Next: full speed')
    await expect.poll(() => statusOf(playground)).toEqual({ paused: false, speed: 1 })
    await press(page, 'Send at full speed')
    await expect(said(page)).toHaveText(/^Pre-confirmed after [\d,]+ ms, sealed after [\d,]+ ms\.$/)
    await expect(tour(page).getByRole('button', { name: 'Copy summary' })).toBeVisible()
  })
  await press(page, 'Finish')
  await expect(tour(page)).toBeHidden()
  expect(await statusOf(playground)).toEqual({ paused: false, speed: 1 })
  await expect(page.getByRole('region', { name: 'Tour', exact: true })).toBeHidden()
  await expect(page.getByRole('region', { name: 'How long it takes' })).toContainText(/, [01] samples?/)
  await test.step('after its end it begins at its first step', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('tour')
    await page.keyboard.press('Enter')
    await expect(titled(page, 'Send a transaction')).toBeFocused()
  })
})

test('however the tour is left, the chain goes on', async ({ playground, page }) => {
  await playground.open({ clock: 'auto' })
  await test.step('Esc leaves it and restores the clock, and the palette resumes it where it was left', async () => {
    await startTour(page)
    await press(page, /^Send/)
    await expect(titled(page, 'It is in the mempool')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(tour(page)).toBeHidden()
    expect(await statusOf(playground)).toEqual({ paused: false, speed: 1 })

    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('resume the tour')
    await page.keyboard.press('Enter')
    await expect(titled(page, 'It is in the mempool')).toBeFocused()
  })

  await test.step('closing the page during the tour does not leave the chain stopped', async () => {
    expect(await statusOf(playground)).toMatchObject({ paused: true })
    await page.reload()
    await playground.ready()
    await expect.poll(() => statusOf(playground)).toEqual({ paused: false, speed: 1 })
  })
})

test('a tour started again, here or in another tab, restores the clock from before the first one', async ({
  playground,
  page,
  context,
}) => {
  await playground.open({ clock: 'auto' })
  await startTour(page)
  await startAgain(page)
  await page.keyboard.press('Escape')
  await expect(tour(page)).toBeHidden()
  expect(await statusOf(playground)).toEqual({ paused: false, speed: 1 })

  await startAgain(page)
  const other = new Playground(await context.newPage())
  await other.open({ clock: 'auto' })
  await startAgain(other.page)
  await press(page, 'Leave the tour')
  await press(other.page, 'Leave the tour')
  await expect(tour(other.page)).toBeHidden()
  expect(await statusOf(playground)).toEqual({ paused: false, speed: 1 })
})

test('the offer comes once', async ({ playground, page }) => {
  await playground.open()
  const offer = page.getByRole('region', { name: 'Tour', exact: true })
  await offer.getByRole('button', { name: 'No, thanks' }).click()
  await expect(offer).toBeHidden()
  await page.reload()
  await playground.ready()
  await expect(playground.pendingBlock).toBeVisible()
  await expect(offer).toBeHidden()
})

test('the tour explains a transaction, and terms have their definitions', async ({ playground, page }) => {
  await playground.open()
  await startTour(page)
  await test.step('a term shows its definition on hover, on focus and to a screen reader', async () => {
    const word = tour(page).getByRole('button', { name: 'tick' })
    await expect(word).toHaveAccessibleDescription(/^One step of the chain/)
    const meaning = page.getByText(/^TickOne step of the chain/)
    await word.hover()
    await expect(meaning).toBeVisible()
    await page.mouse.move(5, 5)
    await expect(meaning).toBeHidden()

    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    await word.focus()
    await expect(meaning).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(meaning).toBeHidden()
    await expect(tour(page)).toBeVisible()
  })

  await test.step('the tour follows one transaction to its seal and back, on a manual clock', async () => {
    await press(page, /^Send/)

    await expect(titled(page, 'It is in the mempool')).toBeFocused()
    await press(page, 'Next: a tick')
    await expect(said(page)).toHaveText('Waiting for the next tick.')
    await press(page, 'Step')
    await expect(said(page)).toHaveText('It is in partial block 2 of block #1.')

    await press(page, 'Next: its receipt')
    const answers = tour(page).getByRole('table', { name: 'The node’s answers' })
    await expect(answers.getByRole('row', { name: 'Outcome success' })).toBeVisible()
    await expect(answers.getByRole('row', { name: 'Block hash zeros: not known yet' })).toBeVisible()
    await expect(answers.getByRole('row', { name: 'Account 1 at pending 10,000.0100 ETH' })).toBeVisible()
    await expect(answers.getByRole('row', { name: 'Account 1 at latest 10,000.0000 ETH' })).toBeVisible()

    await press(page, 'Next: the seal')
    await expect(said(page)).toHaveText('Waiting for the tick that seals the block.')
    await press(page, 'Seal now')
    await expect(said(page)).toHaveText('Block #1 is sealed, and your transaction is in it.')
    await expect(answers.getByRole('row', { name: 'Outcome success success', exact: true })).toBeVisible()
    await expect(
      answers.getByRole('row', { name: /^Block hash zeros: not known yet 0x\w{4}…\w{4} \(changed\)$/ }),
    ).toBeVisible()
    await expect(answers.getByRole('row', { name: /^Latest block #0 #1 \(changed\)$/ })).toBeVisible()

    await press(page, 'Next: can it be undone?')
    await press(page, 'Remove the block')
    await expect(said(page)).toHaveText(/^The block is gone, and the transaction is back in the mempool/)
    expect(await playground.request('eth_blockNumber')).toBe('0x0')
    await press(page, 'Finish')
    await expect(tour(page)).toBeHidden()
  })

  await test.step('terms on all screens show their definitions in place', async () => {
    await playground.sendTransfer()
    const word = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).first()
    for (const [name, meaning] of [
      ['Mempool', /checked and accepted/],
      ['Pending', /It is not sealed/],
      ['partial blocks', /What one tick adds/],
      ['Base fee', /minimum price of a unit of gas/],
      ['Gas', /unit of computing work/],
      ['Sealed', /In a closed block/],
      ['Pre-confirmed', /Executed and placed/],
    ] as const) {
      await expect(word(name)).toHaveAccessibleDescription(meaning)
    }
    await word('Mempool').hover()
    await expect(page.getByText(/^MempoolTransactions that the node has checked/)).toBeVisible()

    await visit(playground, '/send')
    await page.getByLabel('Nonce').fill('7')
    const gap = page.getByRole('region', { name: 'Expected outcome' }).getByRole('button', { name: 'Nonce gap' })
    await expect(gap).toHaveAccessibleDescription(/until a transaction with the missing nonce arrives/)
  })
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('a tapped term shows its definition until something else is tapped', async ({ playground, page }) => {
    await playground.open()
    await page.getByRole('main').getByRole('button', { name: 'Mempool', exact: true }).tap()
    const meaning = page.getByText(/^MempoolTransactions that the node has checked/)
    await expect(meaning).toBeVisible()
    await playground.pendingBlock.tap({ position: { x: 4, y: 4 } })
    await expect(meaning).toBeHidden()
  })
})
