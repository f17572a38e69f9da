import type { Page } from '@playwright/test'
import { expectNoFindings } from './axe.ts'
import { expect, test } from './playground.ts'
import { dialog, headOf, press } from './storage-dialog.ts'

/** Drops a file on the page, as a person does from a folder. */
async function drop(page: Page, name: string, base64: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
      const held = new DataTransfer()
      held.items.add(new File([bytes], fileName))
      return held
    },
    [name, base64] as const,
  )
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer })
  await expect(page.getByRole('region', { name: 'File' })).toContainText('Drop the file')
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer })
}

test('a chain file dropped on the page is watched as a film, and the page’s own chain stays what it was', async ({
  playground,
  page,
}) => {
  await playground.open()
  const early = await playground.sendTransfer()
  await playground.tick(11)
  const late = await playground.sendTransfer()
  await playground.tick(3)
  const file = (await playground.request('devnet_exportChain')) as string
  await playground.tick(20)
  const own = await headOf(playground)

  await drop(page, 'chain.blinknet', file)
  await expect(dialog(page)).toContainText('The file is a Blinknet chain')
  expect(await headOf(playground)).toEqual(own)
  await press(page, 'Watch as a film')

  const film = page.getByRole('region', { name: 'Film' })
  const slider = film.getByRole('slider', { name: 'Moment' })
  await test.step('it opens where the first transaction was added, and its time stands still', async () => {
    await expect(slider).toHaveAttribute('aria-valuetext', 'block 1, partial block 2, moment 2 of 7')
    await expect(film).toContainText('paused · 2 of 7')
  })
  await slider.press('End')
  await expect(slider).toHaveAttribute('aria-valuetext', 'block 2, partial block 5, moment 7 of 7')
  await expect(film).toContainText('chain.blinknet')
  await expect(playground.pendingBlock).toContainText('Block #2')
  await expectNoFindings(page, 'a film')

  const rowOf = (hash: string) => playground.transactions.getByRole('row').filter({ hasText: hash.slice(0, 6) })
  await slider.press('Home')
  await expect(slider).toHaveAttribute('aria-valuetext', 'block 1, partial block 1, moment 1 of 7')
  await expect(playground.pendingBlock).toContainText('Block #1')
  await film.getByRole('button', { name: 'Forward' }).click()
  await expect(slider).toHaveAttribute('aria-valuetext', /^block 1, partial block 2, /)
  await expect(rowOf(early)).toHaveAccessibleName(/^Pre-confirmed .* #1 2 /)
  await expect(rowOf(late)).toHaveCount(0)
  await slider.press('End')
  await expect(rowOf(late)).toHaveAccessibleName(/^Pre-confirmed .* #2 3 /)
  await expect(rowOf(early)).toHaveAccessibleName(/^Sealed /)

  await page.getByRole('link', { name: 'Send', exact: true }).click()
  await expect(page.getByText('This chain is a film')).toBeVisible()

  await film.getByRole('button', { name: 'Leave the film' }).click()
  await expect(film).toBeHidden()
  await expect(playground.pendingBlock).toContainText('Block #4')
  expect(await headOf(playground)).toEqual(own)
})

test('a window of any width shows the whole bar of a film', async ({ playground, page }) => {
  await playground.open()
  await playground.tick(25)
  const file = (await playground.request('devnet_exportChain')) as string
  await drop(page, 'a-chain-with-a-long-name.blinknet', file)
  await press(page, 'Watch as a film')
  const film = page.getByRole('region', { name: 'Film' })
  const place = film.getByText(/^Block \d+, partial block \d+$/)
  for (const width of [820, 390, 320]) {
    await test.step(`${width} pixels wide`, async () => {
      await page.setViewportSize({ width, height: 844 })
      await expect(place).toBeVisible()
      // One line each; nothing beyond the window.
      expect((await place.boundingBox())?.height).toBeLessThan(30)
      const sides = await film
        .getByRole('button')
        .or(place)
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right))
      expect(Math.max(...sides)).toBeLessThanOrEqual(width)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    })
  }
})
