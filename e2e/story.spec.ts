import { AS_VISITOR, expect, Playground, test, visit } from './playground.ts'

test('on a running clock a transfer is pre-confirmed and sealed without further action', async ({ playground }) => {
  await playground.open({ clock: 'auto' })
  const hash = await playground.sendTransfer()
  await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed|sealed/)
  await expect(playground.transaction(hash)).toHaveAccessibleName(/sealed in block \d+/)
})

test('two pages with the same seed and the same steps have the same block', async ({ playground, context }) => {
  const hashes = []
  await playground.open({ seed: 7 })
  await playground.tick(10)
  hashes.push(await playground.request('eth_getBlockByNumber', ['0x1', false]))
  const other = new Playground(await context.newPage())
  await other.open({ seed: 7, storage: 'off' })
  await other.tick(10)
  hashes.push(await other.request('eth_getBlockByNumber', ['0x1', false]))
  expect(hashes[0]).toEqual(hashes[1])
  expect(hashes[0]).toMatchObject({ number: '0x1' })
})

test.describe('as a visitor has it', () => {
  test.use(AS_VISITOR)

  test('a transfer is followed to its sealed block', async ({ playground, page }) => {
    await playground.open()
    await test.step('a transfer is pre-confirmed before it is sealed', async () => {
      await expect(playground.pendingBlock).toContainText('Block #1')

      const hash = await playground.sendTransfer()
      await expect(playground.transaction(hash)).toHaveAccessibleName(/in the mempool/)

      await playground.step()
      await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed in block 1/)
      await expect(
        playground.partialBlocks.getByRole('listitem', { name: 'Partial block 2: 1 transaction' }),
      ).toBeVisible()
      await expect(playground.transactions).toContainText('Pre-confirmed')

      await playground.tick(9)
      await expect(playground.transaction(hash)).toHaveAccessibleName(/sealed in block 1/)
      await expect(playground.transactions).toContainText('Sealed')
      await expect(playground.pendingBlock).toContainText('Block #2')
    })

    await test.step('the partial blocks of the pending block are cut one by one', async () => {
      const cut = playground.partialBlocks.getByRole('listitem', { name: /\d transactions?$/ })
      await expect(playground.partialBlocks.getByRole('listitem')).toHaveCount(10)
      for (const index of [0, 1, 2]) {
        await expect(cut).toHaveCount(index + 1)
        await playground.tick()
      }
    })

    await test.step('the page links from a transaction to its block and back', async () => {
      await playground.tick(7)
      const hash = await playground.sendTransfer()
      await playground.tick(10)

      await playground.openTransaction(hash)
      await expect(playground.transaction(hash)).toHaveAccessibleName(/sealed in block 3/)

      await page
        .getByRole('link', { name: /^(Block )?#?3$/ })
        .first()
        .click()
      await expect(page.getByRole('heading', { name: /Block #3/ })).toBeVisible()
      await page.goBack()
      await expect(playground.transaction(hash)).toBeVisible()
    })
  })

  test('after a reload the page has its transactions, and sends more', async ({ playground, page }) => {
    await playground.open()
    await test.step('transactions from before a reload are listed with links; lost times are not invented', async () => {
      const { sealed, preconfirmed } = await playground.populate()
      const waiting = await playground.sendTransfer()
      await page.reload()
      await playground.ready()
      const rows = playground.transactions.getByTestId('tx-row')
      await expect(rows).toHaveCount(3)
      const found = [
        [waiting, 'mempool'],
        [preconfirmed, 'preconfirmed'],
        [sealed, 'sealed'],
      ] as const
      for (const [i, [hash, state]] of found.entries()) {
        await expect(rows.nth(i)).toHaveAttribute('data-hash', hash)
        await expect(rows.nth(i)).toHaveAttribute('data-state', state)
      }
      await playground.openTransaction(sealed)
      await expect(playground.transaction(sealed)).toHaveAccessibleName(/sealed in block 1/)
      await expect(page.getByText('in block #1, partial block 2')).toBeVisible()
    })

    await test.step('the page works after a reload', async () => {
      await visit(playground, '/')

      const hash = await playground.sendTransfer()
      await playground.tick()
      await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed/)
    })
  })
})
