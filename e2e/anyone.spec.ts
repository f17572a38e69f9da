import type { Page } from '@playwright/test'
import { expectNoFindingsInBothThemes } from './axe.ts'
import { tickWithOne } from './contracts.ts'
import { type Playground, visit } from './playground.ts'
import { expect, test } from './remote-nodes.ts'

/** A holder of ether on the main net, with its checksum; nobody here has its key. */
const HOLDER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const holder = HOLDER.toLowerCase()
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

// axe is injected as a string.
test.use({ bypassCSP: true })

const from = (page: Page) => page.getByLabel('From', { exact: true })
const other = (page: Page) => page.getByLabel('Address or name')

/** The transactions of the pending block, with their senders. */
async function pendingTransactions(playground: Playground): Promise<readonly { from: string; to: string }[]> {
  const block = await playground.request('eth_getBlockByNumber', ['pending', true])
  return (block as { transactions: { from: string; to: string }[] }).transactions
}

/** Expects no sideways scrolling, from a phone to a wide window. */
async function fitsEveryWidth(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 720 }
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      `${width} px`,
    ).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize(before)
}

test('Send takes any address under From, says that it is impersonated, and gives it ether for gas', async ({
  playground,
  page,
}) => {
  await playground.open({ path: '/send' })
  await test.step('an address is typed by keyboard alone; its checksum is checked', async () => {
    await from(page).focus()
    await page.keyboard.press('End')
    await expect(from(page)).toHaveValue('any')
    await page.keyboard.press('Tab')
    await expect(other(page)).toBeFocused()
    await page.getByRole('button', { name: 'Send impersonated' }).click()
    await expect(other(page)).toBeFocused()
    await expect(other(page)).toHaveAccessibleDescription('Enter an address, or a name that this page knows.')
    await page.keyboard.insertText(HOLDER.replace('d8dA', 'd8DA'))
    await expect(other(page)).toHaveAccessibleDescription(/The checksum does not match/)
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(HOLDER)
    await expect(page.getByText('impersonated', { exact: true })).toBeVisible()
    expect(await playground.request('eth_accounts')).not.toContain(holder)
  })

  await test.step('it has no ether for gas, until a press gives it some', async () => {
    await expect(page.getByRole('status').filter({ hasText: 'It has no ether for gas.' })).toBeVisible()
    await expectNoFindingsInBothThemes(page, 'send from anyone')
    await fitsEveryWidth(page)
    expect(await playground.request('eth_getBalance', [holder, 'pending'])).toBe('0x0')
    await page.getByRole('button', { name: 'Set its balance to 10.0000 ETH' }).click()
    await expect(page.getByText(/^Pending balance 10\.0000 ETH/)).toBeVisible()
    await expect(page.getByText('It has no ether for gas.')).toBeHidden()
  })

  await test.step('nothing is signed, and the transaction is the account’s', async () => {
    await expect(page.getByRole('region', { name: 'Signed bytes' })).toContainText('Nothing is signed')
    await page.getByRole('button', { name: 'Send impersonated' }).click()
    await tickWithOne(playground)
    await expect(page.getByRole('status', { name: /^Transaction 0x.*pre-confirmed/ })).toBeVisible()
    expect(await pendingTransactions(playground)).toMatchObject([{ from: holder, to: BOB }])
  })

  await test.step('its screens say so, and why it has no key', async () => {
    await page.getByRole('region', { name: 'Sent' }).getByRole('link', { name: /0x/ }).first().click()
    await expect(page.getByRole('main')).toContainText(new RegExp(`From.*${holder}.*impersonated`, 's'))
    await visit(playground, `/address/${holder}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('impersonated')
    await expect(page.getByText(/There is no key to copy or to export/)).toBeVisible()
    await visit(playground, '/settings')
    await expect(page.getByRole('region', { name: 'Impersonated accounts' })).toContainText('They have no keys')
    await expectNoFindingsInBothThemes(page, 'settings with an impersonated account')
  })

  await test.step('it is a choice from then on, until that is stopped', async () => {
    await visit(playground, '/send')
    await expect(from(page)).toHaveValue(holder)
    await from(page).selectOption('0')
    await expect(page.getByRole('button', { name: 'Sign & send' })).toBeVisible()
    await from(page).selectOption(holder)
    await from(page).selectOption('0')
    await visit(playground, '/settings')
    await page.getByRole('button', { name: /^Stop impersonating/ }).click()
    await expect(page.getByRole('region', { name: 'Impersonated accounts' })).toBeHidden()
    expect(await playground.request('eth_accounts')).not.toContain(holder)
  })
})

test('what anyone sent and waits is replaced, and a gap before it is filled', async ({ playground, page }) => {
  await playground.open({ path: '/send' })
  await playground.request('anvil_setBalance', [holder, '0xde0b6b3a7640000'])
  await from(page).selectOption('any')
  await other(page).fill(HOLDER)
  await page.getByLabel('Nonce').fill('2')
  await page.getByRole('button', { name: 'Send impersonated' }).click()
  const sent = page.getByRole('region', { name: 'Sent' })
  await sent.getByRole('link', { name: /0x/ }).first().click()
  const panel = page.getByRole('region', { name: 'Speed up or cancel' })
  await expect(panel).toContainText('the account is impersonated')
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('status', { name: /^Transaction 0x.*replaced/ })).toBeVisible()
  await visit(playground, `/address/${holder}`)
  await page.getByRole('button', { name: 'Send nonces 0–1' }).click()
  await expect.poll(() => playground.request('eth_getTransactionCount', [holder, 'pending'])).toBe('0x3')
  await playground.tick()
  expect(await pendingTransactions(playground)).toMatchObject([
    { from: holder, to: holder },
    { from: holder, to: holder },
    { from: holder, to: holder },
  ])
})

test('a contract is called by anyone, also by a name that the page knows', async ({ playground, page }) => {
  await playground.open({ path: `/address/${PERMIT2}/contract` })
  const approve = page.getByRole('article', { name: 'approve', exact: true })
  await from(page).selectOption('any')
  await other(page).fill('Multicall3')
  await expect(page.getByText('impersonated', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Set its balance to 10.0000 ETH' }).click()
  await expect(page.getByText('It has no ether for gas.')).toBeHidden()
  await approve.getByLabel(/^Argument 1: token/).fill(BOB)
  await approve.getByLabel(/^Argument 2: spender/).fill(BOB)
  await approve.getByLabel(/^Argument 3: amount/).fill('1')
  await approve.getByLabel(/^Argument 4: expiration/).fill('0')
  await approve.getByRole('button', { name: 'Send approve' }).click()
  await expect(approve.getByRole('status', { name: /^Transaction 0x/ })).toBeVisible()
  await playground.tick()
  await expect(approve.getByRole('status', { name: /pre-confirmed.*success/ })).toBeVisible()
  expect(await pendingTransactions(playground)).toMatchObject([
    { from: '0xca11bde05977b3631167028862be2a173976ca11', to: PERMIT2 },
  ])
  await expectNoFindingsInBothThemes(page, 'a contract called by anyone')
  await fitsEveryWidth(page)
})

test('the console sends and calls from anyone', async ({ playground, page }) => {
  await playground.open({ path: '/rpc-console' })
  await playground.request('anvil_setBalance', [holder, '0xde0b6b3a7640000'])
  await page.getByRole('searchbox', { name: 'Search methods' }).fill('eth_sendTransaction')
  await page.getByRole('option', { name: 'eth_sendTransaction', exact: true }).click()
  await from(page).selectOption('any')
  await other(page).fill(HOLDER)
  await expect(page.getByRole('textbox', { name: 'Parameters' })).toHaveValue(new RegExp(`"from": "${holder}"`))
  await expect(page.getByText('impersonated', { exact: true })).toBeVisible()
  expect(await playground.request('eth_accounts')).not.toContain(holder)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('status', { name: 'Result of the request' })).toHaveText(/^eth_sendTransaction answered/)
  await playground.tick()
  expect(await pendingTransactions(playground)).toMatchObject([{ from: holder }])
  await expectNoFindingsInBothThemes(page, 'the console for anyone')
  await fitsEveryWidth(page)
  await test.step('an address that was typed into the parameters by hand is not impersonated by Run', async () => {
    await page.getByRole('textbox', { name: 'Parameters' }).fill(`[{"from":"${PERMIT2}","to":"${BOB}"}]`)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(page.getByText(/unknown account/).first()).toBeVisible()
    expect(await playground.request('eth_accounts')).not.toContain(PERMIT2)
  })
})

interface Dapp {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/** Asks the page's wallet as a script of it. */
function ask(page: Page, method: string, params: readonly unknown[] = []): Promise<unknown> {
  return page.evaluate(
    async (call) => {
      try {
        return await (window as unknown as { ethereum: Dapp }).ethereum.request(call)
      } catch (error) {
        return (error as Error).message
      }
    },
    { method, params },
  )
}

test('the wallet shares any account, and its questions say that it is impersonated', async ({ playground, page }) => {
  await page.goto('/?clock=manual&storage=off&impersonatedSignatures=on')
  await playground.ready()
  await playground.request('anvil_setBalance', [holder, '0xde0b6b3a7640000'])
  const dialog = page.getByRole('dialog')
  const accounts = ask(page, 'eth_requestAccounts')
  await dialog.getByLabel('Any other account').fill('0x12')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Any other account')).toHaveAccessibleDescription(/Not an address/)
  await dialog.getByLabel('Any other account').fill(HOLDER)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('checkbox', { name: /0xd8da.*impersonated/i })).toBeChecked()
  await expectNoFindingsInBothThemes(page, 'the wallet’s question for anyone')
  await fitsEveryWidth(page)
  await dialog.getByRole('button', { name: 'Connect 1 account' }).click()
  expect(await accounts).toEqual([holder])

  const signature = ask(page, 'personal_sign', ['0x48656c6c6f', holder])
  await expect(dialog).toContainText('impersonated')
  await expect(dialog).toContainText('valid on this chain alone')
  await expectNoFindingsInBothThemes(page, 'a signature of anyone')
  await dialog.getByRole('button', { name: 'Sign' }).click()
  expect(await signature).toMatch(/^0x[\da-f]{130}$/)

  const hash = ask(page, 'eth_sendTransaction', [{ to: BOB, value: '0x1' }])
  await expect(dialog).toContainText('Nothing is signed')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await hash
  await playground.tick()
  expect(await pendingTransactions(playground)).toMatchObject([{ from: holder, to: BOB }])
})

test('a chain that does not sign for accounts without keys says so in the question', async ({ playground, page }) => {
  await playground.open()
  const dialog = page.getByRole('dialog')
  const accounts = ask(page, 'eth_requestAccounts')
  await dialog.getByLabel('Any other account').fill(HOLDER)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Connect 1 account' }).click()
  await accounts
  const signature = ask(page, 'personal_sign', ['0x48656c6c6f', holder])
  await expect(dialog).toContainText('so it will refuse')
  await dialog.getByRole('button', { name: 'Sign' }).click()
  expect(await signature).toContain('--impersonated-signatures')
})

test('on anvil anyone sends as well, and a remote chain that refuses to impersonate is named as the reason', async ({
  playground,
  page,
  nodes,
}) => {
  await test.step('anvil', async () => {
    const anvil = await nodes.anvil()
    await page.goto(`/send?rpc=${encodeURIComponent(anvil.http)}`)
    await playground.ready()
    await from(page).selectOption('any')
    await other(page).fill(HOLDER)
    await page.getByRole('button', { name: 'Set its balance to 10.0000 ETH' }).click()
    await expect(page.getByText('It has no ether for gas.')).toBeHidden()
    await page.getByRole('button', { name: 'Send impersonated' }).click()
    await expect(page.getByRole('status', { name: /^Transaction 0x.*success/ })).toBeVisible()
    expect(await anvil.rpc('eth_getTransactionCount', holder, 'latest')).toBe('0x1')
  })

  await test.step('a chain that refuses', async () => {
    const node = await nodes.blinknet(['--clock', 'manual'])
    const error = { code: -32601, message: 'the method anvil_impersonateAccount does not exist' }
    await node.rpc('devnet_failNext', { methods: ['anvil_impersonateAccount'], error, times: 100 })
    await node.rpc('anvil_setBalance', holder, '0xde0b6b3a7640000')
    await page.goto(`/send?rpc=${encodeURIComponent(node.http)}`)
    await playground.ready()
    await from(page).selectOption('any')
    await other(page).fill(HOLDER)
    await page.getByRole('button', { name: 'Send impersonated' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'does not send for an account without its key' })
    await expect(alert).toContainText('It refuses anvil_impersonateAccount: the method anvil_impersonateAccount')
    expect(await node.rpc('eth_getTransactionCount', holder, 'pending')).toBe('0x0')
  })
})
