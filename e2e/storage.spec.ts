import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, type Playground, test } from './playground.ts'
import {
  anvilDump,
  anvilDumpInHex,
  brokenGenesis,
  damage,
  garbage,
  genesis,
  RICH,
  SHELF,
  type TestFile,
} from './storage-files.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function openStorage(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Chain: / }).click()
  await press(page, 'Chain storage…')
  await expect(dialog(page)).toContainText('is stored in this browser')
}

/** Exports the chain in the open dialog; answers what the browser saved. */
async function exportChain(page: Page): Promise<{ name: string; content: Buffer }> {
  const saved = page.waitForEvent('download')
  await press(page, 'Export chain')
  const download = await saved
  await expect(dialog(page).getByRole('status')).toContainText('Exported up to block')
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

async function choose(page: Page, file: TestFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await press(page, 'Import…')
  await (await chooser).setFiles(file)
}

const headOf = async (playground: Playground) =>
  (await playground.request('eth_getBlockByNumber', ['latest', false])) as { number: string; hash: string }

/** Changes what is stored of a chain while no tab has it open, as a bug or another program would. */
async function tamper({ page }: Playground, how: 'lose-block' | 'newer-layout' | 'newer-format'): Promise<void> {
  // A file of the origin that is not the page.
  await page.goto('/sw.js')
  await page.evaluate(async (kind) => {
    const name = (await indexedDB.databases()).map((database) => database.name ?? '').find((it) => it.endsWith(':main'))
    if (name === undefined) throw new Error('nothing is stored')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = kind === 'newer-layout' ? indexedDB.open(name, 99) : indexedDB.open(name)
      opening.addEventListener('success', () => resolve(opening.result))
      opening.addEventListener('error', () => reject(opening.error as DOMException))
    })
    const transaction = database.transaction(['blocks', 'meta'], 'readwrite')
    const ended = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error as DOMException))
    })
    if (kind === 'lose-block') {
      const cursor = transaction.objectStore('blocks').openCursor()
      cursor.addEventListener('success', () => cursor.result?.delete())
    }
    if (kind === 'newer-format') {
      const reading = transaction.objectStore('meta').get('chain')
      reading.addEventListener('success', () => {
        const record = new TextDecoder().decode(reading.result as Uint8Array)
        const newer = record.replace(/"format":\d+/, '"format":99')
        transaction.objectStore('meta').put(new TextEncoder().encode(newer), 'chain')
      })
    }
    await ended
    database.close()
  }, how)
}

test('a reload keeps the chain: its blocks, and what was acknowledged', async ({ playground, page }) => {
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

test('an exported chain comes back after a fresh start, in every tab', async ({ playground, page, context }) => {
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
  await expect(dialog(page)).toContainText('the chain “main”, which stands at block 2')
  await press(page, 'Erase and start fresh')
  await expect(dialog(page).getByRole('status')).toHaveText('A new chain has begun at block 0.')
  expect(await headOf(playground)).toMatchObject({ number: '0x0' })
  expect(await playground.request('eth_getTransactionByHash', [hash])).toBeNull()
  await expect(heads.getByRole('link', { name: 'Block 2,' })).toBeHidden()

  await choose(page, { name, mimeType: 'application/gzip', buffer: content })
  await expect(dialog(page)).toContainText('The file is a chain of Blinknet')
  await press(page, 'Replace the chain')
  await expect(dialog(page).getByRole('status')).toHaveText('Imported. The chain stands at block 2 now.')
  expect(await headOf(playground)).toEqual(exported)
  await expect(heads.getByRole('link', { name: 'Block 2,' })).toBeVisible()

  await page.reload()
  await playground.ready()
  expect(await headOf(playground)).toEqual(exported)
})

test('what cannot be imported is named, and changes nothing', async ({ playground, page }) => {
  await playground.open()
  await playground.sendTransfer()
  await playground.tick(10)
  const before = await headOf(playground)
  await openStorage(page)
  const { content } = await exportChain(page)

  // As the browser tells of a chooser that was closed.
  await page.getByLabel('File to import').dispatchEvent('cancel', { bubbles: true })
  await choose(page, garbage)
  await expect(dialog(page).getByRole('alert')).toContainText('The file is text, but no JSON.')
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

for (const file of [anvilDump, anvilDumpInHex]) {
  test(`anvil’s dump is loaded over what is there, from ${file.name}`, async ({ playground, page }) => {
    await playground.open()
    await openStorage(page)
    await choose(page, file)
    await expect(dialog(page)).toContainText('a state that anvil dumped, with 2 accounts')
    await press(page, 'Load the state')
    await expect(dialog(page).getByRole('status')).toContainText('Imported 2 accounts')
    expect(await playground.request('eth_getBalance', [RICH, 'pending'])).toBe('0x1bc16d674ec80000')
    expect(await playground.request('eth_call', [{ to: SHELF }, 'pending'])).toMatch(/2a$/)
  })
}

test('a genesis file starts the chain over, and a reload goes on with it', async ({ playground, page }) => {
  await playground.open()
  await playground.tick(10)
  await openStorage(page)
  await choose(page, genesis)
  await expect(dialog(page)).toContainText('1 account for chain id 777')
  await expect(dialog(page)).toContainText('Not used: difficulty.')
  await press(page, 'Erase and start over')
  await expect(dialog(page).getByRole('status')).toContainText('A new chain has begun')
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

test('snapshots can be forgotten', async ({ playground, page }) => {
  await playground.open()
  const id = await playground.request('evm_snapshot')
  await openStorage(page)
  await press(page, 'Forget snapshots')
  await expect(dialog(page).getByRole('status')).toHaveText('Forgot 1 snapshot.')
  expect(await playground.request('evm_revert', [id])).toBe(false)
})

for (const { how, title } of [
  { how: 'lose-block', title: 'The stored chain is damaged' },
  { how: 'newer-layout', title: 'The stored chain is from a newer Blinknet' },
  { how: 'newer-format', title: 'The stored chain is from a newer Blinknet' },
] as const) {
  test(`${title} (${how}): a copy can be saved, and a new chain begun`, async ({ playground, page }) => {
    await playground.open()
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

test('options that are not those of the stored chain are refused, and the chain opens as it is', async ({
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
  await press(page, 'Go on in memory only')
  await playground.ready()
  await page.getByRole('button', { name: 'Chain: in memory' }).click()
  await press(page, 'Chain storage…')
  await expect(dialog(page)).toContainText('only in memory')
})

test.describe('without the service worker', () => {
  // It takes room of its own, and would hand out the worker's script.
  test.use({ serviceWorkers: 'block' })

  /** Lets the browser store so many bytes for the site; all that it likes, without a number. */
  async function limitStorage(page: Page, baseURL: string | undefined, quotaSize?: number): Promise<void> {
    const devtools = await page.context().newCDPSession(page)
    const { origin } = new URL(baseURL ?? '')
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize !== undefined && { quotaSize }) })
  }

  /** Sends what takes room until the node refuses it; answers the refusal. */
  const fill = (page: Page) =>
    page.evaluate(async () => {
      const request = (method: string, params: readonly unknown[]) => window.devnet?.request({ method, params })
      const [from] = (await request('eth_accounts', [])) as string[]
      for (let i = 0; i < 60; i++) {
        // What repeats itself would be packed.
        const noise = crypto.getRandomValues(new Uint8Array(50_000))
        const input = `0x${Array.from(noise, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
        try {
          await request('eth_sendTransaction', [{ from, to: from, input }])
        } catch (error) {
          const { code, data } = error as { code: number; data: unknown }
          return { code, data }
        }
      }
      return 'nothing was refused'
    })

  test('a full disk is said as long as it lasts, and nothing is acknowledged meanwhile', async ({
    playground,
    page,
    baseURL,
  }) => {
    await limitStorage(page, baseURL, 1_500_000)
    await playground.open()
    await playground.sendTransfer()
    expect(await fill(page)).toEqual({ code: -32000, data: { journal: 'quota' } })
    await playground.sendButton.click()
    const notice = page.getByRole('region', { name: 'The chain is not being stored' })
    await expect(notice).toBeVisible()
    const saved = page.waitForEvent('download')
    await notice.getByRole('button', { name: 'Export chain' }).click()
    expect((await saved).suggestedFilename()).toBe('blinknet-main-0.blinknet.gz')

    await limitStorage(page, baseURL)
    await playground.tick(10)
    await expect(notice).toBeHidden()
    expect(await playground.request('evm_mine')).toBe('0x0')
  })

  test('where there is no room to open the chain, it can be had in memory', async ({ playground, page, baseURL }) => {
    await limitStorage(page, baseURL, 1)
    await page.goto('/?clock=manual')
    await expect(page.getByRole('heading', { level: 1, name: 'There is no room for the chain' })).toBeVisible()
    await press(page, 'Go on in memory only')
    await playground.ready()
    await playground.sendTransfer()
  })

  test('a browser without storage has a chain in memory, and the page says so', async ({ playground, page }) => {
    await page.route(/node-worker.*\.js$/, async (route) => {
      const response = await route.fetch()
      const hide = "Object.defineProperty(self, 'indexedDB', { value: undefined });"
      await route.fulfill({ response, body: hide + (await response.text()) })
    })
    await playground.open()
    await expect(page.getByRole('region', { name: 'This chain is only in memory' })).toContainText('no IndexedDB')
    const hash = await playground.sendTransfer()
    await playground.tick()
    await expect(playground.transaction(hash)).toHaveAccessibleName(/pre-confirmed/)
  })
})

test.describe('axe', () => {
  // axe is injected as a string, which the page's policy forbids.
  test.use({ bypassCSP: true })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds nothing on the storage dialogs and the screen in their place, ${colorScheme}`, async ({
      playground,
      page,
    }) => {
      const findings = async () => {
        const { violations } = await new AxeBuilder({ page }).analyze()
        return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
      }
      // Four times axe.
      test.slow()
      await page.emulateMedia({ colorScheme })
      await playground.open()
      await playground.tick(10)
      await page.getByRole('button', { name: 'Chain: main' }).click()
      await expect(page.getByRole('button', { name: 'Chain storage…' })).toBeVisible()
      expect(await findings()).toEqual([])
      await press(page, 'Chain storage…')
      await choose(page, garbage)
      await expect(dialog(page).getByRole('alert')).toBeVisible()
      expect(await findings()).toEqual([])
      await press(page, 'Start fresh…')
      await expect(dialog(page)).toContainText('Lost for good')
      expect(await findings()).toEqual([])
      await tamper(playground, 'lose-block')
      await page.goto('/?clock=manual')
      await expect(page.getByRole('heading', { level: 1, name: 'The stored chain is damaged' })).toBeVisible()
      expect(await findings()).toEqual([])
    })
  }
})
