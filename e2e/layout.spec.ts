import type { Locator, Page } from '@playwright/test'
import { expect, type Playground, test } from './playground.ts'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('nothing is drawn there')
  return box
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 0.5 && b.y < a.y + a.height - 0.5

/** How much larger the page is than its window, so that it would have to be scrolled. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    return { right: Math.max(0, scrollWidth - innerWidth), below: Math.max(0, scrollHeight - innerHeight) }
  })

async function openView(
  { page, ...playground }: Playground,
  view: 'projector' | 'embed',
  width: number,
  height: number,
) {
  await page.setViewportSize({ width, height })
  await page.goto(`/?view=${view}&clock=manual&storage=off`)
  await page.waitForFunction(() => window.devnet !== undefined)
  await expect(playground.pendingBlock).toBeVisible()
}

test('nothing of the share dialog is below a fold', async ({ playground, page }) => {
  await playground.open({ seed: 7 })
  await playground.sendTransfer()
  await playground.tick(12)
  const dialog = page.getByRole('dialog', { name: 'Share what I see' })
  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [390, 844],
  ] as const) {
    await test.step(`at ${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      await page.getByRole('button', { name: 'Share' }).click()
      for (const choice of ['This view', 'A film of it', 'An exact link']) {
        await dialog.getByRole('radio', { name: choice }).check()
        await expect(dialog.getByText('Reading the chain')).toHaveCount(0)
        const hidden = await dialog.evaluate((element) =>
          [element, ...element.querySelectorAll('div')].map((part) => part.scrollHeight - part.clientHeight),
        )
        expect(Math.max(...hidden), choice).toBeLessThanOrEqual(1)
      }
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    })
  }
})

test('a seal is animated where both ends of its path are in sight', async ({ playground, page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await playground.open()
  await page.evaluate(() => {
    const counter = Object.assign(window, { animated: 0 })
    const counting: ProxyHandler<Element['animate']> = {
      apply(animate, element, args) {
        // The mark's blink moves nothing.
        if ((element as Element).closest('main')) counter.animated++
        return Reflect.apply(animate, element, args) as Animation
      },
    }
    Object.assign(Element.prototype, { animate: new Proxy(Reflect.get(Element.prototype, 'animate'), counting) })
  })
  for (const [i, [width, height, moves]] of (
    [
      [390, 844, false],
      [1440, 900, true],
      [1000, 700, false],
    ] as const
  ).entries()) {
    await test.step(`a seal ${moves ? 'is' : 'is not'} animated at ${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      await playground.tick(9)
      await page.evaluate(() => Object.assign(window, { animated: 0 }))
      await playground.tick()
      await expect(playground.pendingBlock).toContainText(`Block #${i + 2}`)
      await expect(
        page.getByRole('list', { name: 'Sealed blocks' }).getByRole('link', { name: `Block ${i + 1},` }),
      ).toBeVisible()
      const animated = await page.evaluate(() => (window as unknown as { animated: number }).animated)
      expect(animated > 0).toBe(moves)
    })
  }
})

/** The larger one first: in a window that grows, what fitted the smaller one still fits before the stage has changed. */
const PROJECTORS = [
  [1920, 1080],
  [1280, 720],
] as const

test('on a projector everything is shown without scrolling', async ({ playground, page }) => {
  await openView(playground, 'projector', 1920, 1080)
  await playground.sendTransfer()
  await playground.tick(12)
  await expect(page.getByRole('status', { name: /^Transaction 0x\w+: sealed/ })).toBeVisible()
  // As many as a fault links at most, so its text has its full length.
  for (let i = 0; i < 5; i++) await playground.sendTransfer()
  await playground.tick()
  await page.getByRole('button', { name: 'Drop partial blocks' }).click()
  await expect(page.getByRole('status', { name: 'Effect of the fault' })).toContainText('1 more')
  const parts = [
    playground.pendingBlock,
    playground.sendButton,
    ...['Mempool', 'Sealed blocks', 'Your last transaction'].map((name) => page.getByRole('region', { name })),
    page.getByRole('list', { name: 'Legend' }),
    playground.stepButton,
    ...['Drop partial blocks', 'Stall 5 ticks', 'Delay seal 2 s', 'Reorg 1 block', 'Reject 3 sends'].map((name) =>
      page.getByRole('button', { name }),
    ),
  ]
  const sections = page.getByRole('main').locator('section')
  for (const [width, height] of PROJECTORS) {
    await test.step(`the projector shows everything at ${width} × ${height} without scrolling`, async () => {
      await page.setViewportSize({ width, height })
      // The stage fits itself to the window a moment after that has changed.
      await expect.poll(() => overflow(page)).toEqual({ right: 0, below: 0 })
      await expect.poll(() => sections.evaluateAll(cutOff)).toEqual([])
      for (const part of parts) await expect(part).toBeInViewport({ ratio: 0.99 })
      const keys = page.getByRole('region', { name: 'Controls' }).getByRole('button')
      const tops = await keys.evaluateAll((all) => all.map((key) => Math.round(key.getBoundingClientRect().top)))
      // But for what closes the message above the keys.
      expect(new Set(tops.filter((top) => top > height * 0.85)).size, 'rows of the speaker’s keys').toBe(1)
      const boxes = await Promise.all(parts.slice(0, 5).map(boxOf))
      boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => expect(overlap(a, b)).toBe(false)))
    })
  }

  await test.step('help and palette are scaled for the projector', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 })
    for (const [key, name] of [
      ['?', 'Keyboard shortcuts'],
      ['/', 'Search and commands'],
    ] as const) {
      await page.keyboard.press(key)
      const dialog = page.getByRole('dialog', { name })
      await expect(dialog).toBeInViewport({ ratio: 1 })
      expect((await boxOf(dialog)).width).toBeGreaterThanOrEqual(900)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
  })
})

/** Runs inside the page: the sections whose content does not fit into them. */
function cutOff(sections: (HTMLElement | SVGElement)[]): readonly string[] {
  const cut = sections.filter((section) => section.scrollHeight - section.clientHeight > 1)
  return cut.map((section) => section.ariaLabel ?? section.textContent)
}

test('the embed view is a pending block with a button to send', async ({ playground, page }) => {
  await openView(playground, 'embed', 600, 400)
  await playground.sendButton.click()
  // The transaction must be in the mempool before the tick.
  await expect.poll(() => playground.request('txpool_status')).toMatchObject({ pending: '0x1' })
  await playground.tick(2)
  await expect(page.getByTestId('block-canvas')).toHaveAttribute('data-tx-count', '1')
  for (const [width, height] of [
    [600, 400],
    [320, 240],
  ] as const) {
    await test.step(`at ${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      await expect.poll(() => overflow(page)).toEqual({ right: 0, below: 0 })
      for (const part of [playground.pendingBlock, playground.partialBlocks, playground.sendButton]) {
        await expect(part).toBeInViewport({ ratio: 0.99 })
      }
      expect(overlap(await boxOf(playground.pendingBlock), await boxOf(playground.sendButton))).toBe(false)
    })
  }
})

test('on the live screen the legend is in sight, and neither sealed blocks nor faults get in the way', async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await playground.open()
  await test.step('the signs of the states are explained beside the pending block', async () => {
    const legend = playground.pendingBlock.getByRole('list', { name: 'Legend' })
    await expect(legend).toBeInViewport({ ratio: 1 })
    await expect(legend.getByRole('listitem')).toHaveText(['In the mempool', 'Pre-confirmed', 'Sealed'])
  })

  await test.step('no sealed block is painted over the sticky header', async () => {
    await page.setViewportSize({ width: 1440, height: 600 })
    await playground.tick(10)
    const row = page.getByRole('list', { name: 'Sealed blocks' }).getByRole('link', { name: 'Block 1,' })
    await expect(row).toBeVisible()
    const { y } = await boxOf(row)
    await page.evaluate((top) => scrollTo(0, top - 30), y)
    const { x, width } = await boxOf(row)
    const above = await page.evaluate(
      (at) => document.elementFromPoint(at, 50)?.closest('header') !== null,
      x + width / 2,
    )
    expect(above).toBe(true)
  })

  await test.step('active faults move nothing on the page, and their note can be hidden', async () => {
    // In a page that is scrolled, the browser itself holds what is in sight in its place.
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.evaluate(() => scrollTo(0, 0))
    const faults = page.getByRole('region', { name: 'Faults', exact: true })
    await expect(faults).toBeVisible()
    const before = await boxOf(playground.pendingBlock)
    await playground.request('devnet_stallPartialBlocks', [5])
    const note = page.getByRole('region', { name: 'Planned faults' })
    await expect(note).toBeInViewport({ ratio: 1 })
    expect(await boxOf(playground.pendingBlock)).toEqual(before)
    await note.getByRole('button', { name: 'Hide' }).click()
    await expect(note).toBeHidden()
  })
})

for (const theme of ['light', 'dark'] as const) {
  test(`the chosen segment stands out from its track in the ${theme} theme`, async ({ playground, page }) => {
    await playground.open({ theme })
    await expect(page.getByRole('radio', { name: 'Steady' })).toBeChecked()
    const contrast = await page.getByRole('radio', { name: 'Steady' }).evaluate((radio) => {
      const luminance = (element: Element | null | undefined) => {
        if (!element) throw new Error('there is no such element')
        const channels = getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? []
        const [red = 0, green = 0, blue = 0] = channels.map((text) => {
          const value = Number(text) / 255
          return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const [option, track] = [luminance(radio.parentElement), luminance(radio.closest('fieldset'))]
      return (Math.max(option, track) + 0.05) / (Math.min(option, track) + 0.05)
    })
    expect(contrast).toBeGreaterThanOrEqual(3)
  })
}

test('at 200% the header takes less than a third of the screen, and scrolls away', async ({ playground, page }) => {
  await page.setViewportSize({ width: 720, height: 450 })
  await playground.open({ clock: 'auto' })
  await expect(page.getByRole('button', { name: /^Chain: / })).toBeVisible()
  const header = await page.getByRole('banner').boundingBox()
  expect(header?.height).toBeLessThan(120)
  await page.mouse.move(400, 300)
  await page.mouse.wheel(0, 600)
  await expect(page.getByRole('banner')).not.toBeInViewport()
})

test('between phone and desktop nothing in the header overlaps, and the page does not scroll sideways', async ({
  playground,
  page,
}) => {
  await playground.open()
  await playground.request('devnet_seal', [900])
  await playground.request('devnet_seal', [900])
  await expect(playground.chainButton).toContainText('#1800')
  for (const width of [721, 760, 820, 821, 861, 900, 901, 1000, 1080, 1081, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    const parts = await page.getByRole('banner').locator('a, button').filter({ visible: true }).all()
    const boxes = await Promise.all(parts.map(boxOf))
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => expect(overlap(a, b), `at ${width} pixels`).toBe(false)))
    expect((await overflow(page)).right, `at ${width} pixels`).toBe(0)
  }
})
