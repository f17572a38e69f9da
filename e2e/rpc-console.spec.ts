import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test, visit } from './playground.ts'

const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

const status = (page: Page) => page.getByRole('status', { name: 'Result of the request' })
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })
const calls = (page: Page) => page.getByRole('table', { name: 'Calls' })
const editor = (page: Page) => page.getByRole('textbox', { name: 'Parameters' })
const rowOf = (page: Page, method: string, source: string) =>
  calls(page).getByRole('row').filter({ hasText: method }).filter({ hasText: source })

test('methods are found, explained, filled in and run', async ({ playground, page }) => {
  await playground.open({ path: '/rpc-console' })
  await test.step('a method is found, explained and run by keyboard alone', async () => {
    await page.getByRole('searchbox', { name: 'Search methods' }).focus()
    await page.keyboard.type('getbalance')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: 'eth_getBalance' })).toBeFocused()
    await page.keyboard.press('Enter')

    const panel = page.getByRole('region', { name: 'eth_getBalance' })
    await expect(panel.getByRole('listitem').filter({ hasText: 'address, required' })).toBeVisible()
    await expect(editor(page)).toHaveValue(JSON.stringify([ACCOUNT, 'pending'], undefined, 2))
    await editor(page).focus()
    await page.keyboard.press('Control+Enter')
    await expect(status(page)).toHaveText(/^eth_getBalance answered in \d/)
    await expect(result(page)).toContainText('"0x21e19e0c9bab2400000"')
    await expect(result(page)).toContainText('as wei 10,000.0000 ETH')
  })

  await test.step('a key right after the last letter acts on the whole text', async () => {
    await page.getByRole('searchbox', { name: 'Search methods' }).fill('')
    // The list has all methods again.
    await page.getByRole('option', { name: 'eth_chainId' }).waitFor()
    const focused = await page.getByRole('searchbox', { name: 'Search methods' }).evaluate(async (element) => {
      const search = element as HTMLInputElement
      search.focus()
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(search, 'getbalance')
      search.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await Promise.resolve()
      search.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
      return document.activeElement?.textContent
    })
    expect(focused).toBe('eth_getBalance')
  })

  await test.step('a tag is chosen with one press', async () => {
    await page.getByRole('searchbox', { name: 'Search methods' }).fill('')
    await page.getByRole('option', { name: 'eth_getBlockByNumber', exact: true }).click()
    await page.getByRole('radio', { name: 'earliest' }).check()
    await expect(editor(page)).toHaveValue(JSON.stringify(['earliest', false], undefined, 2))
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(result(page)).toContainText('"number": "0x0"')
    await page.getByRole('option', { name: 'eth_chainId' }).click()
    await expect(page.getByRole('radio', { name: 'earliest' })).toHaveCount(0)
  })

  await test.step('problems with the parameters are shown before and after the call', async () => {
    await page.getByRole('option', { name: 'eth_getBalance', exact: true }).click()
    await editor(page).fill('["0x12"')
    await expect(editor(page)).toHaveAccessibleDescription(/^Not JSON yet/)
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()

    await editor(page).fill('["0x12", "latest"]')
    await expect(page.getByRole('list', { name: 'Problems with the parameters' })).toContainText(
      'address should be an address',
    )
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(status(page)).toHaveText(/^eth_getBalance was rejected/)
    await expect(page.getByText(/The node refused: .*\(-32602\)/)).toBeVisible()
    await expect(page.getByText(/^Parameter 1 must have 40 hexadecimal digits/)).toBeVisible()
  })

  await test.step('methods that change the chain cannot be pinned', async () => {
    await page.getByRole('option', { name: 'devnet_reset' }).click()
    await expect(page.getByRole('button', { name: 'Pin', exact: true })).toBeDisabled()
  })
})

test('pinned requests run again, and the log shows every call', async ({ playground, page }) => {
  await playground.open()
  await test.step('a pinned request runs at every partial block and shows what changed', async () => {
    await playground.openConsole()
    await playground.runInConsole('eth_getTransactionCount', [ACCOUNT, 'pending'])
    await page.getByRole('button', { name: 'Pin', exact: true }).click()
    const pinned = page.getByRole('list', { name: 'Pinned requests' }).getByRole('listitem').first()
    await expect(pinned).toContainText('0x0')
    await playground.tick()
    await expect(pinned).toContainText('The same in all 2 runs.')

    await playground.request('eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, value: '0x1' }])
    await playground.tick()
    await expect(pinned).toContainText('Changed with partial block 3 of #1. 1 change in 3 runs.')
    await expect(page.getByRole('list', { name: 'Changes in eth_getTransactionCount' })).toHaveText('0x0 (0) → 0x1 (1)')
    await playground.tick()
    await expect(pinned).toContainText('Unchanged since partial block 3 of #1.')

    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await playground.tick(2)
    await page.goBack()
    await expect(pinned).toContainText('Unchanged since partial block 3 of #1.')
    await page.getByRole('button', { name: 'Unpin eth_getTransactionCount' }).click()
    await expect(page.getByRole('region', { name: 'Pinned' })).toHaveCount(0)
  })

  await test.step('the log shows the caller, and can be filtered, paused and cleared', async () => {
    await visit(playground, '/')
    await playground.sendTransfer()
    await page.evaluate(() =>
      (window.ethereum as { request(call: object): unknown }).request({ method: 'net_version' }),
    )
    await playground.request('web3_clientVersion')
    await playground.openConsole()
    await playground.runInConsole('eth_gasPrice')

    await expect(rowOf(page, 'eth_sendRawTransaction', 'page')).toHaveCount(1)
    await expect(rowOf(page, 'net_version', 'wallet')).toHaveCount(1)
    await expect(rowOf(page, 'web3_clientVersion', 'window.devnet')).toHaveCount(1)
    await expect(rowOf(page, 'eth_gasPrice', 'console')).toHaveCount(1)

    await page.getByRole('combobox', { name: 'Source' }).selectOption('window.devnet')
    await expect(rowOf(page, 'eth_gasPrice', 'console')).toHaveCount(0)
    await expect(rowOf(page, 'web3_clientVersion', 'window.devnet')).toHaveCount(1)

    await page.getByRole('button', { name: 'Pause log' }).click()
    await playground.request('net_listening')
    await expect(page.getByRole('button', { name: /^Resume log, \+\d+ new/ })).toBeVisible()
    await expect(rowOf(page, 'net_listening', 'window.devnet')).toHaveCount(0)
    await page.getByRole('button', { name: /^Resume log/ }).click()
    await expect(rowOf(page, 'net_listening', 'window.devnet')).toHaveCount(1)

    await page.getByRole('button', { name: 'Clear' }).click()
    await expect(rowOf(page, 'net_listening', 'window.devnet')).toHaveCount(0)
  })

  await test.step('a logged call is opened, copied for other programs, and edited', async () => {
    await playground.refusal('eth_getBalance', ['0x12'])
    await page.getByRole('checkbox', { name: 'Errors only' }).check()
    await calls(page).getByRole('button', { name: 'eth_getBalance' }).click()

    const detail = page.getByRole('region', { name: /^Call \d+$/ })
    await expect(detail).toContainText('error -32602')
    await detail.getByRole('radio', { name: 'Request' }).check()
    await expect(detail.getByRole('region', { name: 'Request parameters' })).toContainText('"0x12"')
    await detail.getByText('Copy as code').click()
    // The first snippet works in the browser's console unchanged.
    const snippet = 'await devnet.request({ method: "eth_getBalance", params: ["0x12"] })'
    await expect(detail).toContainText(snippet)
    const said = await page.evaluate(`(async () => { ${snippet} })().catch((error) => error.message)`)
    expect(said).toContain('want 40')
    await expect(detail.getByRole('radio', { name: 'curl' })).toHaveCount(0)
    await detail.getByRole('checkbox', { name: /other programs/ }).check()
    await expect(detail).toContainText('a chain in a tab has no port')
    await detail.getByRole('radio', { name: 'curl' }).check()
    await expect(detail).toContainText(
      `--data-raw '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x12"]}'`,
    )
    await detail.getByRole('radio', { name: 'cast' }).check()
    await expect(detail).toContainText(`cast rpc --rpc-url 'http://127.0.0.1:8545' 'eth_getBalance' --raw '["0x12"]'`)

    await detail.getByRole('button', { name: 'Edit in the console' }).click()
    await expect(editor(page)).toHaveValue(JSON.stringify(['0x12'], undefined, 2))
    await page.getByRole('checkbox', { name: 'Errors only' }).uncheck()
  })

  await test.step('the log is exported as JSON', async () => {
    await playground.runInConsole('eth_chainId')
    await page.getByRole('searchbox', { name: 'Filter by method or error' }).fill('eth_chainId')
    await page.getByRole('combobox', { name: 'Source' }).selectOption('console')
    await expect(rowOf(page, 'eth_chainId', 'console')).toHaveCount(1)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toBe('blinknet-rpc-log.json')
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject([
      { source: 'console', request: { method: 'eth_chainId', params: [] }, response: { result: '0x7a69' } },
    ])
  })
})

test('the first view does not load the console; a failed load is explained', async ({ browser }) => {
  // The service worker has the file cached, and would answer instead of the network.
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.route(/RpcConsoleScreen.*\.js$/, (route) => route.abort())
  await page.goto('/?clock=manual')
  await page.waitForFunction(() => window.devnet !== undefined)
  await page.evaluate(() => window.devnet?.ready)
  expect(loaded.filter((url) => url.includes('RpcConsole'))).toEqual([])
  await page.getByRole('link', { name: 'RPC', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('This screen could not be shown')
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible()
  await context.close()
})
