import type { Page } from '@playwright/test'
import { watchMoves } from './moves.ts'
import { expect, type Playground, test, visit } from './playground.ts'

/** Position of a partial block's first square, in CSS pixels of the window. */
async function firstSquare({ partialBlocks }: Playground, index: number): Promise<{ x: number; y: number }> {
  const box = await partialBlocks.getByRole('listitem', { name: `Partial block ${index + 1}:` }).boundingBox()
  if (!box) throw new Error(`partial block ${index} is not in sight`)
  // The first square stands on the column's line, above the index.
  return { x: box.x + 6, y: box.y + box.height - 28 }
}

/** Animations started by a script, which is how the page animates the seal. */
const scriptedAnimations = (page: Page) =>
  page.evaluate(
    () =>
      document
        .getAnimations()
        // The mark blinks with each partial block.
        .filter(({ effect }) => (effect as KeyframeEffect).target?.closest('main'))
        .filter((animation) => !(animation instanceof CSSAnimation || animation instanceof CSSTransition)).length,
  )

/** Positions of the animated pieces, some milliseconds after the start of a seal. */
interface SealPiece {
  readonly name: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly opacity: number
}

test('a phone’s page stays where it is while its chain starts', async ({ page, playground }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await playground.open({ clock: 'auto' })
  await expect(playground.pendingBlock).toContainText('partial block')
  const { value, moves } = await (await watchMoves(page, true))()
  expect(value, JSON.stringify(moves)).toBeLessThan(0.1)
})

test('on a phone a press and its seal move nothing, and its square is in sight', async ({ page, playground }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await playground.open()
  await page.getByRole('button', { name: 'No, thanks' }).click()
  const moves = await watchMoves(page)
  await playground.sendTransfer()
  await playground.tick()
  await expect(page.getByText('The result is known; the block is not sealed yet.')).toBeVisible()
  await expect(playground.partialBlocks).toBeInViewport({ ratio: 0.9 })
  await playground.tick(9)
  await expect(page.getByText(/^Known .* before the seal\.$/)).toBeVisible()
  const { value, moves: seen } = await moves()
  expect(value, JSON.stringify(seen)).toBeLessThan(0.01)
})

test('a seal is drawn as a movement, once, and nothing else moves', async ({ playground, page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  // So that both ends of the path of its squares are visible, and none of the list below, which grows.
  await page.setViewportSize({ width: 1440, height: 850 })
  await playground.open()
  await test.step('at a seal the squares move from the pending block to their row; no numbers overlap, and no link covers another', async () => {
    for (let block = 0; block < 3; block++) {
      await playground.sendTransfer()
      await playground.tick(10)
    }
    await playground.sendTransfer()
    await playground.tick(9)
    const pending = await playground.pendingBlock.boundingBox()
    await expect(page.getByRole('list', { name: 'Sealed blocks' }).getByRole('link')).toHaveCount(4)
    await expect.poll(() => scriptedAnimations(page)).toBe(0)
    const watched = page.evaluate(
      () =>
        new Promise<SealPiece[][]>((resolve) => {
          const pieces = (): SealPiece[] =>
            [...document.querySelectorAll<HTMLElement>(':is([data-morph], a):is([aria-label="Sealed blocks"] *)')].map(
              (element) => {
                const { left, top, right, bottom } = element.getBoundingClientRect()
                const entry = element.closest('li') ?? element
                const opacity = Number(getComputedStyle(element).opacity) * Number(getComputedStyle(entry).opacity)
                const isPressable = getComputedStyle(element).pointerEvents !== 'none'
                const name = element.dataset['morph'] ?? (isPressable ? 'link' : 'no link yet')
                return { name, left, top, right, bottom, opacity }
              },
            )
          const look = () => {
            const seal = document.getAnimations().filter(({ effect }) => {
              const { target } = effect as KeyframeEffect
              return target?.closest('[aria-label="Sealed blocks"]')
            })
            if (seal.length === 0) return requestAnimationFrame(look)
            for (const animation of seal) animation.pause()
            const times = Array.from({ length: 30 }, (_, i) => i * 10)
            const moments = times.map((time) => {
              for (const animation of seal) animation.currentTime = time
              return pieces()
            })
            for (const animation of seal) animation.finish()
            return resolve(moments)
          }
          look()
        }),
    )
    await playground.tick()
    const moments = await watched
    const pressableRows = () =>
      page
        .getByRole('list', { name: 'Sealed blocks' })
        .getByRole('link')
        .evaluateAll((rows) => rows.filter((row) => getComputedStyle(row).pointerEvents !== 'none').length)
    await expect.poll(pressableRows).toBe(5)
    const squares = moments.map((pieces) => pieces.find(({ name }) => name === 'flight') as SealPiece)
    const [first, last] = [squares[0], squares.at(-1)] as [SealPiece, SealPiece]
    expect(pending).not.toBeNull()
    expect(first.left).toBeLessThan((pending?.x ?? 0) + 40)
    expect(last.left).toBeGreaterThan((pending?.x ?? 0) + (pending?.width ?? 0))
    expect(squares.map(({ left }) => left)).toEqual(squares.map(({ left }) => left).toSorted((a, b) => a - b))
    for (const pieces of moments) {
      const links = pieces.filter(({ name, opacity }) => name === 'link' && opacity > 0.02)
      for (const [i, a] of links.entries()) {
        for (const b of links.slice(i + 1)) {
          const covers = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
          expect(covers, JSON.stringify([a, b])).toBe(false)
        }
      }
      const numbers = pieces.filter(({ name, opacity }) => (name === 'number' || name === 'count') && opacity > 0.02)
      for (const [i, a] of numbers.entries()) {
        for (const b of numbers.slice(i + 1)) {
          const overprints = a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom
          expect(overprints, JSON.stringify([a, b])).toBe(false)
        }
      }
    }
  })

  await test.step('nothing on the live screen moves while the chain builds blocks', async () => {
    await playground.sendTransfer()
    await playground.tick(11)
    await expect(playground.pendingBlock).toContainText('Block #6')
    await expect.poll(() => scriptedAnimations(page)).toBe(0)
    const moved = await watchMoves(page)
    const accounts = (await playground.request('eth_accounts', [])) as readonly string[]
    for (let tick = 1; tick <= 21; tick++) {
      const [from, to] = [accounts[1 + (tick % 8)], accounts[9]]
      if (tick % 3 > 0) await playground.request('eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
      await playground.tick()
      const { live } = (await playground.request('devnet_status', [])) as { live: { number: string; index: number } }
      await expect(playground.pendingBlock).toContainText(`Block #${Number(live.number)}`)
      await expect(playground.pendingBlock).toContainText(`${live.index + 1} of 10`)
    }
    const { value, moves } = await moved()
    expect(value, JSON.stringify(moves)).toBeLessThan(0.001)
  })

  await test.step('a seal is animated once, and not at all if motion is off', async () => {
    // To the end of the block.
    await playground.tick(8)
    await playground.sendTransfer()
    await playground.tick(9)
    await expect(page.getByTestId('block-canvas')).toHaveAttribute('data-tx-count', '1')
    // The seal of the block before is not the one that is looked at.
    await page.waitForFunction(() => document.getAnimations().length === 0, undefined, { polling: 50 })
    const moved = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const look = () => {
            const { length } = document
              .getAnimations()
              .filter(({ effect }) => (effect as KeyframeEffect).target?.closest('main'))
            if (length > 0) resolve(length)
            else requestAnimationFrame(look)
          }
          look()
        }),
    )
    await playground.tick()
    expect(await moved).toBeGreaterThan(0)
    await expect.poll(() => scriptedAnimations(page)).toBe(0)
    await expect(page.getByRole('list', { name: 'Sealed blocks' }).getByRole('link').first()).toHaveAccessibleName(
      'Block 9, 1 transaction',
    )

    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.evaluate(() => {
      Element.prototype.animate = () => {
        throw new Error('something moved')
      }
    })
    await playground.tick(10)
    await expect(playground.pendingBlock).toContainText('Block #11')
  })
})

test('more transactions never cover less of a block’s row', async ({ playground, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await playground.open()
  const list = page.getByRole('list', { name: 'Sealed blocks' })
  const accounts = await playground.request('eth_accounts')
  const covered: number[] = []
  for (const count of [100, 330, 450, 907, 999, 1_300]) {
    await page.evaluate(
      async ([senders, wanted]) => {
        const sending = Array.from({ length: wanted }, async (_, i) => {
          const from = senders[i % senders.length] ?? '0x'
          await window.devnet?.request({
            method: 'eth_sendTransaction',
            params: [{ from, to: from, value: '0x1', gas: '0x5208' }],
          })
        })
        await Promise.all(sending)
        await window.devnet?.tick(10)
      },
      [accounts as readonly `0x${string}`[], count] as const,
    )
    const newest = list.getByRole('listitem').first()
    await expect(newest.getByRole('link')).toHaveAccessibleName(
      new RegExp(`, ${count.toLocaleString('en-US')} transactions`),
    )
    // A new row is painted with the frame that first shows it, so it stands in the document a little earlier.
    await expect.poll(() => newest.evaluate(coveredPixels)).toBeGreaterThan(0)
    covered.push(await newest.evaluate(coveredPixels))
  }
  for (const [i, more] of covered.slice(1).entries()) {
    // One pixel in a hundred is the precision of 256 shades.
    expect(more, covered.map(Math.round).join(', ')).toBeGreaterThan((covered[i] ?? 0) * 0.99)
  }
})

/** How many pixels of a row's squares are covered, each by its opacity. */
function coveredPixels(row: Element): number {
  const canvas = row.querySelector('canvas')
  const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
  return pixels?.reduce((sum, value, i) => sum + (i % 4 === 3 ? value / 255 : 0), 0) ?? 0
}

const faults = (page: Page) => page.getByRole('region', { name: 'Faults', exact: true })
const report = (page: Page) => page.getByRole('status', { name: 'Effect of the fault' })

test('on a running clock the page shows automine, a frozen view and a planned drop', async ({ page, playground }) => {
  await playground.open({ clock: 'auto' })
  await test.step('with automine each transaction is sealed at once, and the page says so; Resume returns to the clock', async () => {
    await page.evaluate(() => window.devnet?.request({ method: 'evm_setAutomine', params: [true] }))
    const status = page.getByText('Chain status:').locator('..')
    await expect(status).toContainText('Automine')
    await expect(page.getByText('automine: sealed with the next transaction')).toBeVisible()
    await page.getByRole('button', { name: 'Send transaction' }).first().click()
    await expect(page.getByRole('region', { name: 'Your last transaction' })).toContainText('Sealed')
    await page.getByRole('button', { name: /^Chain: / }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.keyboard.press('Escape')
    await expect(status).toContainText('Live')
    await expect(page.getByText('seals in')).toBeVisible()
  })

  await test.step('a frozen view on a running clock shows no countdown', async () => {
    await expect(playground.pendingBlock).toBeVisible()
    await page.keyboard.press('f')
    const note = page.getByRole('region', { name: 'Frozen view' })
    await expect(note).toBeVisible()
    const before = await playground.pendingBlock.innerText()
    await expect(note).toContainText(/\+[1-9]\d* new block/)
    expect(await playground.pendingBlock.innerText()).toBe(before)
    await page.keyboard.press('f')
    await expect(note).toBeHidden()
  })

  await test.step('on a running clock a drop withdraws transactions, now or as soon as there are any', async () => {
    await faults(page).getByRole('button', { name: 'Drop partial blocks' }).click()
    await expect(report(page)).toContainText('The next partial block with transactions will be withdrawn')
    await page.getByRole('button', { name: 'Cancel drop' }).click()
    await expect(report(page)).toContainText('A sequencer can break its promise.')
    await faults(page).getByRole('button', { name: 'Drop partial blocks' }).click()
    await expect(report(page)).toContainText('The next partial block with transactions will be withdrawn')
    const hash = await playground.sendTransfer()
    await expect(report(page)).toContainText(/withdrawn\. (Its|Their) transaction waits/)
    await expect(report(page).getByRole('link')).toHaveText(new RegExp(`^${hash.slice(0, 6)}`))
    await expect(page.getByRole('region', { name: 'Your last transaction' })).toContainText('then withdrawn after')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(report(page)).toContainText('A sequencer can break its promise.')
  })
})

test('faults are reported and shown', async ({ playground, page }) => {
  await playground.open()
  await test.step('a dropped partial block is shown in the strip and in the race, and its transaction is included again', async () => {
    const hash = await playground.sendTransfer()
    await playground.tick()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed in block 1/)
    await faults(page).getByRole('button', { name: 'Drop partial blocks' }).click()
    await expect(report(page)).toContainText(
      'Partial block 2 of block 1 was withdrawn. Its transaction waits in the mempool',
    )
    await expect(report(page).getByRole('link')).toHaveText(new RegExp(`^${hash.slice(0, 6)}`))
    const cell = playground.partialBlocks.getByRole('listitem', {
      name: 'Partial block 2: withdrawn, with 1 transaction',
    })
    await expect(cell).toBeVisible()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/in the mempool/)
    const race = page.getByRole('region', { name: 'Your last transaction' })
    await expect(race).toContainText(/Pre-confirmed in block #1, then withdrawn after [\d,.]+ m?s: it went back/)

    await playground.tick()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed in block 1/)
    await expect(
      playground.partialBlocks.getByRole('listitem', { name: 'Partial block 2: 1 transaction' }),
    ).toBeVisible()
  })

  await test.step('a drop goes back past empty partial blocks to the newest one with transactions', async () => {
    await playground.tick(8)
    const hash = await playground.sendTransfer()
    await playground.tick(5)
    await expect(playground.pendingBlock).toContainText('6 of 10')
    await faults(page).getByRole('button', { name: 'Drop partial blocks' }).click()
    await expect(report(page)).toContainText('Partial blocks 2 to 6 of block 2 were withdrawn. Their transaction waits')
    await expect(playground.transaction(hash)).toHaveAccessibleName(/in the mempool/)
  })

  await test.step('stalled ticks, a late seal and refused transactions are reported and shown', async () => {
    await faults(page).getByRole('button', { name: 'Stall 5 ticks' }).click()
    await expect(report(page)).toContainText('The next 5 ticks will not pre-confirm anything.')
    const hash = await playground.sendTransfer()
    await playground.tick(5)
    await expect(playground.transaction(hash)).toHaveAccessibleName(/in the mempool/)
    await playground.tick()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed/)

    await faults(page).getByRole('button', { name: 'Delay seal 2 s' }).click()
    await expect(report(page)).toContainText('The seal of block 3 is delayed by 2,000 ms.')
    await expect(page.getByRole('region', { name: 'Planned faults' })).toContainText('2,000 ms late')

    await faults(page).getByRole('button', { name: 'Reject 3 sends' }).click()
    await expect(report(page)).toContainText('The next 3 transactions, whoever sends them, will be refused')
    await playground.sendButton.click()
    await expect(page.getByRole('alert').getByText(/out of order \(planned fault\)/)).toBeVisible()
  })

  await test.step('a reorg removes a sealed block, and its transactions if requested', async () => {
    await page.getByRole('button', { name: 'End faults' }).click()
    await playground.tick(9)
    const hash = await playground.sendTransfer()
    await playground.tick(10)
    await expect(playground.transaction(hash)).toHaveAccessibleName(/sealed in block 4/)
    await page.getByRole('radio', { name: 'are lost' }).check()
    await faults(page).getByRole('button', { name: 'Reorg 1 block' }).click()
    await expect(report(page)).toContainText('Block 4 was removed')
    await expect(report(page)).toContainText('Its transaction is lost')
    await expect(playground.pendingBlock).toContainText('Block #4')
    await expect(playground.transaction(hash)).toHaveAccessibleName(/dropped/)
    await expect(page.getByRole('list', { name: 'Sealed blocks' }).getByRole('listitem')).toHaveCount(4)
  })
})

test('the live screen says what has changed and what is under the pointer, and can be frozen', async ({
  playground,
  page,
}) => {
  await playground.open()
  await test.step('the screen describes the latest change, and how long it took', async () => {
    await expect(playground.pendingBlock).toContainText('Block 1 is open')
    // The panel measures the blocks that it sees, and its file is loaded after the first view.
    const times = page.getByRole('region', { name: 'How long it takes' })
    await expect(times).toBeVisible()
    await playground.sendTransfer()
    await playground.tick()
    await expect(playground.pendingBlock).toContainText(/Partial block 2 of block 1 added 1 transaction, in \d+\sms; /)
    await playground.tick(9)
    await expect(playground.pendingBlock).toContainText('Block 1 was sealed with 1 transaction')
    await expect(times).toContainText('1 sample')
    await expect(times).toContainText(/p50\s*[\d,.]+ m?s\s*p95\s*[\d,.]+ m?s/)
  })

  await test.step('hovering over a square shows its transaction, and a click opens it', async () => {
    const hash = await playground.sendTransfer()
    await playground.tick()
    await expect(page.getByTestId('block-canvas')).toHaveAttribute('data-tx-count', '1')
    const { x, y } = await firstSquare(playground, 1)
    await page.mouse.move(x, y)
    await expect(page.getByText(hash.slice(0, 12), { exact: false }).last()).toBeVisible()
    await expect(page.getByText('0.0100 ETH Account 0 → Account 1')).toBeVisible()
    await page.mouse.click(x, y)
    await expect(page).toHaveURL(new RegExp(`/tx/${hash}`))
  })

  await test.step('a frozen view does not change while the chain continues', async () => {
    await visit(playground, '/')
    const newest = playground.transactions.getByRole('row').nth(1)
    await playground.sendTransfer()
    await expect(newest).toContainText('In the mempool')
    await page.keyboard.press('f')
    const note = page.getByRole('region', { name: 'Frozen view' })
    await expect(note).toContainText('View frozen at block 2')
    await playground.tick(20)
    await expect(note).toContainText('+2 new blocks')
    await expect(playground.pendingBlock).toContainText('Block #2')
    await expect(newest).toContainText('In the mempool')

    await note.getByRole('button', { name: 'Unfreeze' }).click()
    await expect(playground.pendingBlock).toContainText('Block #4')
    await expect(newest).toContainText('Sealed')
    await expect(note).toBeHidden()

    await page.getByRole('button', { name: /^Chain: / }).click()
    await page.getByRole('button', { name: 'Freeze view' }).click()
    await expect(page.getByRole('button', { name: 'Freeze view' })).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await expect(note).toBeHidden()
  })
})
