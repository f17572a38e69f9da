import { expect, test, visit } from './playground.ts'

test.use({ storage: 'stored' })

test('after a reload a page shows its transactions as they were', async ({ playground, page }) => {
  await playground.open()
  await test.step('after a reload a transaction still has its state, its partial block and its times', async () => {
    const { sealed, preconfirmed } = await playground.populate()
    for (const [hash, name, where] of [
      [sealed, 'sealed in block 1, success', 'in block #1, partial block 2'],
      [preconfirmed, 'pre-confirmed in block 2, partial block 2, success', 'in block #2, partial block 2'],
    ] as const) {
      await page.goto(`/tx/${hash}?clock=manual`)
      await playground.ready()
      await expect(playground.transaction(hash)).toHaveAccessibleName(`Transaction ${hash}: ${name}`)
      await expect(page.getByText(where)).toBeVisible()
      await expect(page.getByText('Some times are missing: the node that recorded them has stopped.')).toBeHidden()
    }
    await playground.tick(9)
    await expect(playground.transaction(preconfirmed)).toHaveAccessibleName(/sealed in block 2, success/)
  })

  await test.step('after a reload the last own transaction is shown again', async () => {
    await visit(playground, '/')
    const hash = await playground.sendTransfer()
    await playground.tick(2)
    // As if the reload had come before the page could store the steps of its transaction.
    const kept = () => page.evaluate(() => JSON.stringify(sessionStorage))
    await expect.poll(kept).toMatch(new RegExp(`${hash}[^[]*\\[[^\\]]*preconfirmed`))
    await page.evaluate(() => {
      for (const key of Object.keys(sessionStorage)) {
        const text = sessionStorage.getItem(key)
        if (text === null || !key.startsWith('blinknet:own:')) continue
        sessionStorage.setItem(key, text.replaceAll(/"events":\[[^\]]*\]/g, '"events":[]'))
      }
    })
    await page.reload()
    await playground.ready()
    await expect(playground.transaction(hash)).toHaveAccessibleName(
      /pre-confirmed in block 3, partial block 2, success/,
    )
    await expect(page.getByRole('listitem', { name: 'Partial block 2: 1 transaction' })).toBeVisible()
    await playground.tick(9)
    await expect(playground.transaction(hash)).toHaveAccessibleName(/sealed in block 3, success/)
  })

  await test.step('after a reload in the middle of a block the contents of sealed blocks are shown', async () => {
    // To the end of the block.
    await playground.tick(9)
    // By hand: with the clock on, a slow reload would seal more blocks than the list shows.
    await playground.sendTransfer()
    await playground.tick(3)
    await page.reload()
    await playground.ready()
    await playground.tick(9)
    const sealed = page.getByRole('list', { name: 'Sealed blocks' })
    await expect(sealed.getByRole('link', { name: 'Block 5, 1 transaction' })).toBeVisible()
    await expect(sealed.getByRole('link', { name: /contents not seen/ })).toHaveCount(0)
  })
})

test('an active fault is shown, also on a page opened later', async ({ playground, page }) => {
  await playground.open({ clock: 'auto' })
  await playground.request('devnet_stallPartialBlocks', [10_000])
  await page.reload()
  await playground.ready()
  await playground.request('devnet_delaySeal', [60_000])
  const faults = page.getByRole('region', { name: 'Planned faults' })
  await expect(faults).toContainText(/The next [\d,]+ ticks will not pre-confirm anything/)
  await expect(faults).toContainText('The seal of the pending block will come 60.0 s late.')
  await expect(playground.pendingBlock).toContainText(/seals in \d\d\.\d s/)

  await faults.getByRole('button', { name: 'End faults' }).click()
  await expect(faults).toBeHidden()
  const hash = await playground.sendTransfer()
  await expect(playground.transaction(hash)).toHaveAccessibleName(/sealed in block/)
})
