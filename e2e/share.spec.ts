import { expect, Playground, test, visit } from './playground.ts'

test.use({ storage: 'stored' })

const block = (playground: Playground, number: number) =>
  playground.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])

async function sharedAddress(playground: Playground): Promise<string> {
  const { page } = playground
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share what I see' })
  await dialog.getByRole('radio', { name: 'An exact link' }).check()
  await expect(dialog.getByRole('status')).toHaveText(/^Anyone who opens this link/)
  const text = await dialog.getByText(/^http:\/\//).textContent()
  return text ?? ''
}

test('the shared address repeats the chain, or says why it cannot', async ({ playground, context, page }) => {
  await playground.open({ seed: 7 })
  await test.step('opening the shared address gives the same blocks with the same hashes', async () => {
    await playground.sendTransfer()
    await playground.tick(3)
    await playground.sendTransfer()
    await playground.tick(12)
    const address = await sharedAddress(playground)
    await expect(playground.page.getByRole('dialog').getByRole('status')).toHaveText(
      /the same blocks with the same hashes/,
    )
    // A phone cannot open an address of this machine.
    await expect(playground.page.getByRole('img', { name: 'QR code of the link' })).toHaveCount(0)
    await expect(playground.page.getByText(/^Only this machine can open it/)).toBeVisible()
    expect(address).toMatch(/\?storage=off&seed=7&clock=manual#s=[\w-]+$/)

    const other = new Playground(await context.newPage())
    await other.page.goto(address)
    await other.ready()
    await expect(other.page.getByRole('region', { name: 'Shared chain' })).toContainText(
      /Replayed 2 transactions, up to block #1\. Block hashes match/,
    )
    expect(await block(other, 1)).toEqual(await block(playground, 1))
  })

  await test.step('a link opens the screen that is shared', async () => {
    await page.keyboard.press('Escape')
    await visit(playground, '/block/1')
    const address = await sharedAddress(playground)
    expect(address).toMatch(/\/block\/1\?storage=off&seed=7&clock=manual#s=[\w-]+$/)
    const other = new Playground(await context.newPage())
    await other.page.goto(address)
    await other.ready()
    await expect(other.page.getByRole('heading', { level: 1, name: 'Block #1' })).toBeVisible()
    // Before it has been repeated, the screen is that of a pending block.
    await expect.poll(() => block(other, 1)).toEqual(await block(playground, 1))
  })

  await test.step('a transaction is told in words', async () => {
    await page.keyboard.press('Escape')
    const { transactions } = (await block(playground, 1)) as { transactions: string[] }
    await visit(playground, `/tx/${transactions[0]}`)
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share what I see' })
    await expect(dialog.getByRole('radio', { name: 'This transaction' })).toBeChecked()
    await expect(dialog.getByText(/^Succeeded in block #1: pre-confirmed after .*, sealed after .*\.$/)).toBeVisible()
    await dialog.getByRole('radio', { name: 'A film of it' }).check()
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save the film' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.blinknet\.gz$/)
  })

  await test.step('a chain that cannot be reproduced says why, and has no link to an empty one', async () => {
    await page.keyboard.press('Escape')
    await visit(playground, '/')
    await playground.request('devnet_faucet', ['0x90f79bf6eb2c4f870365e785982e1f101e93b906'])
    await playground.tick(10)
    await page.getByRole('button', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share what I see' })
    await dialog.getByRole('radio', { name: 'An exact link' }).check()
    await expect(dialog).toContainText('This chain cannot be repeated by its transactions alone.')
    await expect(dialog.getByText(/^http:\/\//)).toHaveCount(0)
  })

  await test.step('an address with a damaged scenario shows a message', async () => {
    await page.goto('/?storage=off&clock=manual#s=notascenario')
    await playground.ready()
    await expect(page.getByRole('region', { name: 'Shared chain' })).toContainText(
      /The transactions in this link cannot be read/,
    )
  })
})

test('a stored chain is shared with its options, even if this tab’s address lacks them', async ({
  playground,
  page,
  context,
}) => {
  await page.goto('/?chain=gas&gasLimit=30000000&seed=7&clock=manual')
  await playground.ready()
  await playground.storeChain()
  await playground.sendTransfer()
  await playground.tick(12)
  const address = /\?storage=off&seed=7&gasLimit=30000000&clock=manual#s=[\w-]+$/
  expect(await sharedAddress(playground)).toMatch(address)

  const follower = new Playground(await context.newPage())
  await follower.page.goto('/?chain=gas')
  await follower.ready()
  expect(await sharedAddress(follower)).toMatch(address)
  await follower.page.close()

  await page.goto('/?chain=gas')
  await playground.ready()
  expect(await sharedAddress(playground)).toMatch(address)
})

test('on a chain that is not fresh nothing happens, and a new chain is offered', async ({ playground, page }) => {
  await playground.open({ seed: 7 })
  await playground.sendTransfer()
  await playground.tick(10)
  const address = new URL(await sharedAddress(playground))
  await page.goto(`/?clock=manual&seed=7${address.hash}`)
  await page.reload()
  await playground.ready()
  const notice = page.getByRole('region', { name: 'Shared chain' })
  await expect(notice).toContainText('Nothing has been changed.')
  await notice.getByRole('button', { name: 'Open them on a new chain' }).click()
  await expect(page).toHaveURL(/storage=off/)
  await expect(notice).toContainText('Replayed 1 transaction, up to block #1.')
})

test('a shared scenario never runs on a stored chain, however fresh, and runs in memory after a click', async ({
  playground,
  page,
  context,
}) => {
  await page.goto('/?storage=off&clock=manual&seed=7')
  await playground.ready()
  await playground.sendTransfer()
  await playground.tick(10)
  const { hash } = new URL(await sharedAddress(playground))
  const other = new Playground(await context.newPage())
  await other.page.goto(`/?clock=manual&seed=7${hash}`)
  await other.ready()
  const notice = other.page.getByRole('region', { name: 'Shared chain' })
  await expect(notice).toContainText('Your stored chain “main” is not touched.')
  expect(await other.request('devnet_status')).toMatchObject({ head: { number: '0x0' }, live: { transactionCount: 0 } })
  await notice.getByRole('button', { name: 'Open them on a new chain' }).click()
  await expect(other.page).toHaveURL(/storage=off/)
  await expect(notice).toContainText('Replayed 1 transaction, up to block #1.')
})

test('with a clock of its own, a chain offers a film, and one with a manual clock for a link', async ({
  playground,
  page,
  context,
}) => {
  await playground.open({ clock: 'auto' })
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share what I see' })
  await dialog.getByRole('radio', { name: 'An exact link' }).check()
  await expect(dialog.getByRole('status')).toHaveText(/^A link can repeat a chain only if its clock is manual/)
  const opened = context.waitForEvent('page')
  await dialog.getByRole('link', { name: 'Open a chain with a manual clock' }).click()
  const other = new Playground(await opened)
  await other.ready()
  expect(await other.request('devnet_status')).toMatchObject({ mode: 'manual' })
})
