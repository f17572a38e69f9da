import type { Page } from '@playwright/test'
import { expect, test, visit } from './playground.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })
const field = (page: Page) => palette(page).getByRole('combobox')
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await field(page).fill(text)
}

test.describe('while its code is loading', () => {
  // The service worker would fetch it past the route.
  test.use({ serviceWorkers: 'block' })

  test('typed text is kept, and keys do nothing else', async ({ playground, page }) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/PaletteDialog*.js', async (route) => {
      await released
      await route.continue()
    })
    await playground.open()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('ff settings')
    await page.keyboard.press('Home')
    await expect(page.getByRole('region', { name: 'Frozen view' })).toBeHidden()
    release()
    await expect(field(page)).toHaveValue('ff settings')
  })

  test('no letter is lost while it comes', async ({ playground, page }) => {
    const text = 'abcdefghijklmnopqrstuvwxyz'.repeat(2)
    await page.route('**/PaletteDialog*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      await route.continue()
    })
    await playground.open()
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text, { delay: 20 })
    await expect(field(page)).toHaveValue(text)
  })
})

test('the palette finds screens and commands, and says why it finds nothing', async ({ playground, page }) => {
  await playground.open()
  await test.step('if nothing is found, the reason is shown', async () => {
    const said = palette(page).getByRole('status')
    await search(page, '99')
    await expect(said).toHaveText('There is no block #99 yet. Latest sealed: #0.')
    await field(page).fill(`0x${'ab'.repeat(32)}`)
    await expect(said).toHaveText(/No transaction or sealed block has this hash/)
    await field(page).fill('0xdeadbeefdeadbeef')
    await expect(said).toHaveText(/^Nothing that this page has seen begins with 0xdeadbeefdeadbeef\./)
    await field(page).fill('holiday')
    await expect(said).toHaveText(/Nothing matches “holiday”/)
    await page.keyboard.press('Escape')
  })

  for (const [word, offered] of [
    ['projector', 'Present'],
    ['debugger', 'Debugger'],
    ['freeze', 'Freeze the view'],
    ['token', 'Contracts'],
    ['drop', 'Drop partial blocks'],
    ['reorg', 'Reorg 1 block'],
    ['load', 'Load of 200 tx/s'],
    ['deploy', 'Contracts'],
    ['logs', 'Contracts'],
    ['gas limit', 'Chain options'],
    ['impersonate', 'anvil_impersonateAccount'],
    ['eth_getLogs', 'eth_getLogs'],
  ] as const) {
    await test.step(`the palette knows the word ${word}`, async () => {
      await search(page, word)
      await expect(page.getByRole('option', { name: offered }).first()).toBeVisible()
      await page.keyboard.press('Escape')
    })
  }

  await test.step('screens are opened and commands run by name, and the result is shown', async () => {
    await search(page, 'rpc')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'RPC console' })).toBeVisible()

    await search(page, 'seal')
    await option(page, /^Seal the pending block/).click()
    await expect(palette(page)).toBeHidden()
    expect(await playground.request('eth_blockNumber')).toBe('0x1')

    await search(page, 'faucet')
    await page.keyboard.press('Enter')
    await expect(palette(page).getByRole('status')).toHaveText(
      /^Account 0 now has 10,\d{3}\.\d\d ETH in pending block #2\.$/,
    )

    await field(page).fill('light')
    await page.keyboard.press('Enter')
    await expect(page.locator(':root')).toHaveAttribute('data-theme', 'light')
  })
})

/** What people type: everyday words for what the page has. */
const EVERYDAY = (
  'debugger debug breakpoint opcode trace stack memory gas gwei fee fees tip basefee nonce token tokens erc20 nft mint approve ' +
  'logs events topics faucet money fork mainnet base optimism mine miner mining finalized block blocks head height txs tx hash ' +
  'receipt mempool pool pending latest partial sequencer flashblocks preconfirmation transfer send sign signature raw call ' +
  'deploy compile solidity bytecode abi source verify wallet metamask dapp connect viem ethers hardhat foundry anvil curl cast ' +
  'playwright rpc json console network url websocket endpoint account balance address private key mnemonic impersonate time ' +
  'warp timestamp interval automine pause stop slow fast speed step tick seal snapshot revert undo reset restart clear delete ' +
  'import export upload download save share link qr film record video screenshot present stage slides talk room audience ' +
  'dark light theme settings config help docs tutorial tour keyboard shortcuts freeze version explorer history search home ' +
  'reorg fault drop stall delay fail error load traffic stress storage state chain id'
).split(' ')

test('every everyday word finds something in the palette', async ({ playground, page }) => {
  await playground.open()
  await search(page, 'eth_call')
  await expect(option(page, 'eth_call').first()).toBeVisible()
  for (const word of EVERYDAY) {
    await field(page).fill(word)
    await expect(option(page, /./).first(), word).toBeVisible()
    await expect(palette(page).getByRole('status'), word).toBeEmpty()
  }
})

test('the debugger opens at the newest transaction', async ({ playground, page }) => {
  await playground.open()
  const hash = await playground.sendTransfer()
  await search(page, 'debugger')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/tx/${hash}/debug`))
})

test('a screen that is opened from the stage leaves the stage, and the chain in memory goes on', async ({
  playground,
  page,
}) => {
  await page.goto('/?view=projector&storage=off&clock=manual')
  await playground.ready()
  const hash = await playground.sendTransfer()
  await search(page, 'settings')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(page).toHaveURL(/\/settings\?storage=off&clock=manual$/)
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Controls' })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('navigation', { name: 'Screens' })).toBeVisible()
  await expect(playground.transaction(hash)).toBeVisible()
  await page.getByRole('button', { name: 'Present' }).click()
  await expect(page.getByRole('region', { name: 'Controls' })).toBeVisible()
  expect(await playground.request('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
})

test('the palette and the list of shortcuts are used by keyboard', async ({ playground, page }) => {
  await playground.open()
  await test.step('it opens by key and by button, and closes by Esc, by a press outside and by its button', async () => {
    const button = page.getByRole('button', { name: /^Search/ })
    await button.click()
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
    await expect(button).toBeFocused()

    await page.keyboard.press('/')
    await page.mouse.click(10, 500)
    await expect(palette(page)).toBeHidden()

    await page.keyboard.press('Control+k')
    await palette(page).getByRole('button', { name: /close/ }).click()
    await expect(palette(page)).toBeHidden()
  })

  await test.step('a question mark lists the shortcuts; keys typed into a field do not trigger any, those pressed on a choice do', async () => {
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const what of ['Search, or run a command', 'Pause or resume the chain', 'Send a transaction']) {
      await expect(list.getByRole('definition').filter({ hasText: what })).toBeVisible()
    }
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'To' }).press('/')
    await expect(palette(page)).toBeHidden()
    await expect(page.getByRole('combobox', { name: 'To' })).toHaveValue(/^\/0x/)
    // A choice uses the arrows and Space alone.
    await page.getByRole('radio', { name: 'are requeued' }).press('/')
    await expect(palette(page)).toBeVisible()
    await page.keyboard.press('Escape')
  })
})

test('the running chain is paused and slowed down from the palette', async ({ playground, page }) => {
  await playground.open({ clock: 'auto' })
  await search(page, 'speed 0.1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Chain: / })).toContainText('0.1×')
  await search(page, 'pause')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Chain status: Paused')).toBeVisible()
  await page.getByRole('button', { name: /^Chain: / }).click()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
})

test('the palette leads to what it finds', async ({ playground, page }) => {
  await playground.open()
  await test.step('the palette causes a fault, and the live screen reports it', async () => {
    await playground.sendTransfer()
    await playground.tick(3)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('drop')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status', { name: 'Effect of the fault' })).toContainText(
      'Partial blocks 2 to 4 of block 1',
    )
  })

  await test.step('a number, a hash and an address open their block, transaction and account', async () => {
    const hash = await playground.sendTransfer()
    await playground.tick(10)

    await search(page, hash)
    await expect(option(page, /^Transaction/)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/tx/${hash}\\?clock=manual`))
    await expect(page.getByRole('main')).toBeFocused()

    const { hash: blockHash } = (await playground.request('eth_getBlockByNumber', ['0x1', false])) as { hash: string }
    await search(page, blockHash)
    await option(page, /^Block #1/).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Block #1' })).toBeVisible()

    await search(page, '#2')
    await expect(option(page, 'Block #2 pending')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Pending block #2' })).toBeVisible()

    await search(page, 'account 3')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/address\/0x90f79bf6eb2c4f870365e785982e1f101e93b906/)
  })

  await test.step('matching squares are highlighted while typing and after choosing', async () => {
    await visit(playground, '/')
    const hash = await playground.sendTransfer()
    await playground.sendTransfer()
    await playground.tick(10)
    const note = page.getByRole('region', { name: 'Highlighted' })
    // The dialog hides the page from screen readers.
    const covered = page.getByText(`${hash.slice(0, 6)}…${hash.slice(-4)} is highlighted`)
    await search(page, hash)
    await expect(covered).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(covered).toBeHidden()

    await search(page, hash)
    await expect(option(page, /^Transaction/)).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Transaction' })).toBeVisible()
    await expect(note).toBeHidden()
    await page.getByRole('link', { name: 'Blinknet, home' }).click()
    await expect(note).toContainText('is highlighted')
    await expect(note).toContainText('1 transaction')

    await search(page, '#1')
    await expect(page.getByText('Block #1 is highlighted')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(covered).toBeVisible()
    await note.getByRole('button', { name: 'Clear' }).click()
    await expect(note).toBeHidden()
  })
})
