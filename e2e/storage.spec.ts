import { readFile } from 'node:fs/promises'
import { expectNoFindingsInBothThemes } from './axe.ts'
import { expect, test } from './playground.ts'
import { choose, dialog, exportChain, headOf, openStorage, press, tamper } from './storage-dialog.ts'
import { anvilDump, anvilDumpInHex, brokenGenesis, damage, garbage, genesis, RICH, SHELF } from './storage-files.ts'

test.use({ storage: 'stored' })

test('a reload keeps the chain: its blocks and all acknowledged transactions', async ({ playground, page }) => {
  await playground.open()
  const sealed = await playground.sendTransfer()
  await playground.tick(10)
  const waiting = await playground.sendTransfer()
  const before = await headOf(playground)
  expect(before.number).toBe('0x1')

  await page.reload()
  await playground.ready()
  expect(await headOf(playground)).toEqual(before)
  expect(await playground.request('eth_getTransactionByHash', [sealed])).toMatchObject({ blockHash: before.hash })
  expect(await playground.request('chain_transactionStatus', [waiting])).toEqual({ status: 'Known' })
})

test('an exported chain can be imported after a fresh start, in every tab', async ({ playground, page, context }) => {
  await playground.open()
  const hash = await playground.sendTransfer()
  await playground.tick(20)
  const exported = await headOf(playground)
  await openStorage(page)
  const { name, content } = await exportChain(page)
  expect(name).toBe('blinknet-main-2.blinknet.gz')

  const other = await context.newPage()
  await other.goto('/?clock=manual')
  const heads = other.getByRole('list', { name: 'Sealed blocks' })
  await expect(heads.getByRole('link', { name: 'Block 2,' })).toBeVisible()

  await press(page, 'Start fresh…')
  await expect(dialog(page)).toContainText('the chain “main”, which is at block 2')
  await press(page, 'Erase and start fresh')
  await expect(dialog(page).getByRole('status')).toHaveText('Started a new chain at block 0.')
  expect(await headOf(playground)).toMatchObject({ number: '0x0' })
  expect(await playground.request('eth_getTransactionByHash', [hash])).toBeNull()
  await expect(heads.getByRole('link', { name: 'Block 2,' })).toBeHidden()

  await choose(page, { name, mimeType: 'application/gzip', buffer: content })
  await expect(dialog(page)).toContainText('The file is a Blinknet chain')
  await press(page, 'Replace the chain')
  await expect(dialog(page).getByRole('status')).toHaveText('Imported. The chain is now at block 2.')
  expect(await headOf(playground)).toEqual(exported)
  await expect(heads.getByRole('link', { name: 'Block 2,' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Block #3' })).toBeVisible()

  await page.reload()
  await playground.ready()
  expect(await headOf(playground)).toEqual(exported)
})

/**
 * Runs inside the page: presses **Cancel import** as soon as the dialog shows how far the import is. Resolves with the
 * dialog's text. From outside, the press would come too late on a busy machine.
 */
function cancelImport(): Promise<string> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const shown = document.querySelector('dialog')
      const cancel = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Cancel import')
      const bar = shown?.querySelector('progress, [role=progressbar]')
      if (!shown || !cancel || !bar?.checkVisibility() || !/\d of \d/.test(shown.innerText)) return
      observer.disconnect()
      resolve(shown.innerText)
      cancel.click()
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true })
  })
}

test('an import shows how far it is, and is cancelled: the chain stays what it was', async ({ playground, page }) => {
  await playground.open()
  const [from] = (await playground.request('eth_accounts')) as readonly string[]
  // A live block of contract creations that loop until they run out of gas: executing it again takes seconds.
  await playground.request('anvil_setBlockGasLimit', ['0x100000000'])
  await playground.tick(10)
  const loop = { from, data: '0x5b5f56', gas: '0xf42400' }
  for (let i = 0; i < 90; i++) await playground.request('eth_sendTransaction', [loop])
  await playground.tick(9)
  await openStorage(page)
  const { name, content } = await exportChain(page)
  await playground.tick(1)
  const before = await headOf(playground)

  await choose(page, { name, mimeType: 'application/gzip', buffer: content })
  const shown = page.evaluate(cancelImport)
  await press(page, 'Replace the chain')
  expect(await shown).toContain('Checking the file and importing it…')
  expect(await shown).toMatch(/(Checking blocks|Checking states|Executing partial blocks): \d+ of \d+/)
  await expect(dialog(page).getByRole('status')).toHaveText('The import was cancelled. Nothing was changed.')
  await expect(dialog(page).getByRole('progressbar')).toBeHidden()
  await expect(dialog(page).getByRole('alert')).toBeHidden()
  expect(await headOf(playground)).toEqual(before)
})

test('what cannot be imported is named, and changes nothing', async ({ playground, page }) => {
  await playground.open()
  await playground.sendTransfer()
  await playground.tick(10)
  const before = await headOf(playground)
  await openStorage(page)
  const { content } = await exportChain(page)

  // The event of a closed file chooser.
  await page.getByLabel('File to import').dispatchEvent('cancel', { bubbles: true })
  await choose(page, garbage)
  await expect(dialog(page).getByRole('alert')).toContainText('The file is text, but not JSON.')
  await choose(page, damage(content))
  await press(page, 'Replace the chain')
  await expect(dialog(page).getByRole('alert')).toContainText('the file is damaged')
  await choose(page, brokenGenesis)
  await press(page, 'Erase and start over')
  await expect(dialog(page).getByRole('alert')).toContainText('balance must be a whole number')
  expect(await headOf(playground)).toEqual(before)
  await press(page, 'Close')
  await playground.sendTransfer()
})

test('a dump of anvil is added to the existing state', async ({ playground, page }) => {
  await playground.open()
  await openStorage(page)
  for (const file of [anvilDump, anvilDumpInHex]) {
    await test.step(`from ${file.name}`, async () => {
      await playground.request('anvil_setBalance', [RICH, '0x0'])
      await playground.request('anvil_setCode', [SHELF, '0x'])
      await choose(page, file)
      await expect(dialog(page)).toContainText('an anvil state dump with 2 accounts')
      await press(page, 'Load the state')
      await expect(dialog(page).getByRole('status')).toContainText('Imported 2 accounts')
      expect(await playground.request('eth_getBalance', [RICH, 'pending'])).toBe('0x1bc16d674ec80000')
      expect(await playground.request('eth_call', [{ to: SHELF }, 'pending'])).toMatch(/2a$/)
    })
  }
})

test('snapshots are forgotten, and a genesis file starts the chain over', async ({ playground, page }) => {
  await playground.open()
  await test.step('snapshots can be forgotten', async () => {
    const id = await playground.request('evm_snapshot')
    await openStorage(page)
    await press(page, 'Delete snapshots')
    await expect(dialog(page).getByRole('status')).toHaveText('Deleted 1 snapshot.')
    expect(await playground.request('evm_revert', [id])).toBe(false)
  })

  await test.step('a genesis file starts the chain over, and it survives a reload', async () => {
    await playground.tick(10)
    await choose(page, genesis)
    await expect(dialog(page)).toContainText('1 account for chain id 777')
    await expect(dialog(page)).toContainText('Ignored: difficulty.')
    await press(page, 'Erase and start over')
    await expect(dialog(page).getByRole('status')).toContainText('Started a new chain')
    for (const reload of [false, true]) {
      if (reload) {
        await page.reload()
        await playground.ready()
      }
      expect(await playground.request('eth_chainId')).toBe('0x309')
      expect(await playground.request('eth_getBalance', [RICH, 'earliest'])).toBe('0xde0b6b3a7640000')
      expect(await headOf(playground)).toMatchObject({ number: '0x0' })
    }
  })
})

test('for a stored chain that cannot be opened a copy can be saved, and a new chain started', async ({
  playground,
  page,
}) => {
  test.slow()
  await playground.open()
  for (const { how, title } of [
    { how: 'lose-block', title: 'The stored chain is damaged' },
    { how: 'newer-layout', title: 'The stored chain is from a newer Blinknet' },
    { how: 'newer-format', title: 'The stored chain is from a newer Blinknet' },
  ] as const) {
    await test.step(`${title} (${how})`, async () => {
      await playground.sendTransfer()
      await playground.tick(20)
      await tamper(playground, how)
      await page.goto('/?clock=manual')
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()

      const saved = page.waitForEvent('download')
      await press(page, 'Save a copy')
      const content = await readFile(await (await saved).path())
      expect(content.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b))

      await press(page, 'Start fresh…')
      await press(page, 'Cancel')
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await press(page, 'Start fresh…')
      await press(page, 'Erase and start fresh')
      await expect(playground.pendingBlock).toContainText('Block #1')
      expect(await headOf(playground)).toMatchObject({ number: '0x0' })
      await playground.sendTransfer()
    })
  }
})

test('of a damaged chain, what is good is saved, and goes on after an import; what is missing is named', async ({
  playground,
  page,
}) => {
  await playground.open()
  for (let block = 0; block < 3; block++) {
    await playground.sendTransfer()
    await playground.tick(10)
  }
  const before = (await playground.request('eth_getBlockByNumber', ['0x2', false])) as { hash: string }
  await tamper(playground, 'lose-newest')
  await page.goto('/?clock=manual')
  const title = 'The stored chain is damaged'
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  const saved = page.waitForEvent('download')
  await press(page, 'Save what is good')
  const file = await (await saved).path()
  await expect(page.getByRole('status').filter({ hasText: 'proven' })).toContainText('Blocks 0 to 2 are proven')
  await page.getByText('1 block missing').click()
  await expect(page.getByRole('listitem').filter({ hasText: /^Block 3 \(0x[0-9a-f]{64}\): lost$/ })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()

  await press(page, 'Start fresh…')
  await press(page, 'Erase and start fresh')
  await expect(playground.pendingBlock).toContainText('Block #1')
  await openStorage(page)
  await choose(page, { name: 'rescued.blinknet.gz', mimeType: 'application/gzip', buffer: await readFile(file) })
  await press(page, 'Replace the chain')
  await expect(dialog(page).getByRole('status')).toHaveText('Imported. The chain is now at block 2.')
  expect(await headOf(playground)).toMatchObject({ hash: before.hash })
})

test('options other than those of the stored chain are refused, and the chain can be opened as it is', async ({
  playground,
  page,
}) => {
  await playground.open({ seed: 5 })
  await playground.tick(10)
  const before = await headOf(playground)
  await page.goto('/?clock=manual&seed=6')
  await expect(page.getByRole('heading', { level: 1, name: 'The stored chain has other options' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('seed')
  await press(page, 'Open it as it is')
  await playground.ready()
  expect(await headOf(playground)).toEqual(before)

  await page.goto('/?clock=manual&seed=6')
  await page.getByRole('textbox', { name: 'Open another chain' }).fill('six')
  await press(page, 'Open')
  await playground.ready()
  expect(await playground.request('devnet_status')).toMatchObject({ seed: 6 })
  await expect(page.getByRole('button', { name: 'Chain: six' })).toBeVisible()

  await page.goto('/?clock=manual&seed=6')
  await press(page, 'Use a chain in memory instead')
  await playground.ready()
  await page.getByRole('button', { name: 'Chain: in memory' }).click()
  await press(page, 'Chain storage…')
  await expect(dialog(page)).toContainText('in memory only')
})

test.describe('axe', () => {
  // axe is injected as a string, which the page's policy forbids.
  test.use({ bypassCSP: true })

  test('axe finds nothing on the storage dialogs and the stored chain’s error screen', async ({ playground, page }) => {
    // Runs axe eight times.
    test.slow()
    await playground.open()
    await playground.tick(10)
    await page.getByRole('button', { name: 'Chain: main' }).click()
    await expect(page.getByRole('button', { name: 'Chain storage…' })).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'menu')
    await press(page, 'Chain storage…')
    await choose(page, garbage)
    await expect(dialog(page).getByRole('alert')).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'a file that cannot be used')
    await press(page, 'Start fresh…')
    await expect(dialog(page)).toContainText('Lost for good')
    await expectNoFindingsInBothThemes(page, 'start fresh')
    await tamper(playground, 'lose-block')
    await page.goto('/?clock=manual')
    await expect(page.getByRole('heading', { level: 1, name: 'The stored chain is damaged' })).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'damaged')
  })
})
