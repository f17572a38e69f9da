import type { Locator, Page } from '@playwright/test'
import { LISTS } from '../src/ui/page/lists.ts'
import { NAV_ROUTES } from '../src/ui/page/navigation.ts'
import { joinedWords } from './joined-words.ts'
import { chooseTextSize, expect, test, visit } from './playground.ts'
import { ALICE, BOB, sendFrom } from './token.ts'

const WIDTHS = [320, 390, 600, 768, 820, 900, 1024, 1280, 1440, 1920]

/** What of the page is wider than its window. */
const tooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

/** Runs in the page: lines of text that are higher than a box which has an edge, a ground or cuts them. */
function tooHigh(): readonly string[] {
  const found = new Set<string>()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    const element = node.parentElement
    if (
      !element?.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) ||
      !node.textContent?.trim()
    )
      continue
    if (element.closest('.visually-hidden, svg, script, style, option, textarea')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const size = parseFloat(getComputedStyle(element).fontSize)
    for (const line of range.getClientRects()) {
      if (line.width <= 1) continue
      // The letters themselves: what is above and below them in a line may stand over an edge.
      const [top, bottom] = [(line.top + line.bottom - size) / 2, (line.top + line.bottom + size) / 2]
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        const { overflowY, borderTopWidth, backgroundColor, position, clipPath, display } = getComputedStyle(at)
        if (clipPath !== 'none' || /auto|scroll/.test(overflowY)) break
        if (display === 'inline' || display === 'contents') continue
        const isDrawn = parseFloat(borderTopWidth) > 0 || !/, 0\)$|transparent/.test(backgroundColor)
        if (isDrawn || overflowY !== 'visible') {
          const box = at.getBoundingClientRect()
          if (box.width > 1 && box.height > 1 && (top < box.top - 0.5 || bottom > box.bottom + 0.5))
            found.add(`“${node.textContent.trim().slice(0, 30)}” is higher than its ${at.tagName.toLowerCase()}`)
        }
        if (/absolute|fixed/.test(position)) break
      }
    }
  }
  return [...found]
}

/** Pairs of controls in a part of the page that lie over each other, and those that stick out of the window. */
function collisions(part: Locator): Promise<string[]> {
  return part.evaluate((root) => {
    const controls = [...root.querySelectorAll<HTMLElement>('a, button, h1')].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    )
    const named = controls.map((element) => ({
      name: element.getAttribute('aria-label') ?? element.textContent,
      box: element.getBoundingClientRect(),
    }))
    const found: string[] = []
    for (const [i, a] of named.entries()) {
      if (a.box.left < -0.5 || a.box.right > innerWidth + 0.5) found.push(`${a.name} sticks out`)
      for (const b of named.slice(i + 1)) {
        const apart =
          a.box.right <= b.box.left + 0.5 ||
          b.box.right <= a.box.left + 0.5 ||
          a.box.bottom <= b.box.top + 0.5 ||
          b.box.bottom <= a.box.top + 0.5
        if (!apart) found.push(`${a.name} over ${b.name}`)
      }
    }
    return found
  })
}

/** Pixels of the text that a person chose in the browser, and the widths at which a page with it is looked at. */
const TEXTS = [
  [16, WIDTHS],
  [32, [640, 780, 1024, 1280, 1440, 1920]],
] as const

for (const [text, widths] of TEXTS) {
  test(`with text of ${text} pixels, at every width no screen scrolls sideways, and nothing in the header lies over something else`, async ({
    playground,
    page,
  }) => {
    test.slow()
    await playground.open()
    const hash = await playground.sendTransfer()
    await playground.tick(11)
    const screens = [
      ...new Set([...NAV_ROUTES, ...LISTS].map(({ path }) => path)),
      '/send/call',
      '/send/errors',
      '/block/1',
      '/block/pending',
      `/tx/${hash}`,
      `/tx/${hash}/receipt`,
      `/tx/${hash}/raw`,
      `/address/${ALICE}`,
      '/break/subscribing/withdraw@1',
      '/nowhere',
    ]
    for (const path of screens) {
      await test.step(path, async () => {
        await visit(playground, path)
        await expect.poll(() => joinedWords(page)).toEqual([])
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 })
          await chooseTextSize(page, text)
          await expect.poll(() => tooWide(page), { message: `${path} at ${width}` }).toBeLessThanOrEqual(0)
          expect.soft(await page.evaluate(tooHigh), `${path} at ${width}`).toEqual([])
          expect.soft(await collisions(page.getByRole('banner')), `${path} at ${width}`).toEqual([])
        }
      })
    }
  })
}

for (const [what, query] of [
  ['a long name', '&chain=a-chain-with-a-long-name'],
  ['a high speed', '&speed=99.9'],
] as const) {
  test(`the header of a chain with ${what} fits at every width`, async ({ playground, page }) => {
    await page.goto(`/?clock=auto${query}`)
    await playground.ready()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      expect(await tooWide(page), `at ${width}`).toBeLessThanOrEqual(0)
      expect(await collisions(page.getByRole('banner')), `at ${width}`).toEqual([])
    }
  })
}

test('on the narrowest phone the header says in a whole word that the chain is paused', async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 800 })
  await playground.open({ clock: 'auto' })
  await page.keyboard.press('p')
  const word = playground.chainButton.getByText('Paused', { exact: true })
  await expect(word).toBeVisible()
  expect(await word.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

/** States, accounts and amounts that are wider than their column. */
const cut = (table: Locator) =>
  table.evaluate((root) =>
    [...root.querySelectorAll<HTMLElement>('td:first-child, td:last-child, td a > span')]
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.textContent),
  )

test('at every width the states, accounts and values of transactions are whole', async ({ playground, page }) => {
  test.slow()
  await playground.open()
  const REVERTS = '0x60006000fd'
  await sendFrom(playground, { from: ALICE, input: REVERTS, gas: '0x30000' })
  await sendFrom(playground, { from: ALICE, to: BOB, value: '0x1', gas: '0x5208' })
  await sendFrom(playground, { from: ALICE, to: BOB, value: '0x1234567890abcdef12', gas: '0x5208' })
  await playground.tick()
  for (const path of ['/', '/explore/transactions']) {
    await visit(playground, path)
    await expect(playground.transactions.getByRole('row')).toHaveCount(4)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 1000 })
      await playground.transactions.scrollIntoViewIfNeeded()
      expect(await cut(playground.transactions), `${path} at ${width}`).toEqual([])
    }
  }
})
