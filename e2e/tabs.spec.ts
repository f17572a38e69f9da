import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumLaunch } from '../scripts/browsers/chromium.mjs'
import { AS_VISITOR, expect, Playground, test } from './playground.ts'

test.use({ storage: 'stored' })

const LEADS = 'runs in this tab'
const FOLLOWS = 'runs in another tab'

interface TabOptions {
  readonly chain?: string
  /** Default `manual`. */
  readonly clock?: 'auto' | 'manual'
  /** Default: the live screen. */
  readonly path?: string
}

/** Opens one more tab of the same browser. */
async function openTab(
  context: BrowserContext,
  { chain, clock = 'manual', path = '/' }: TabOptions = {},
): Promise<Playground> {
  const tab = new Playground(await context.newPage())
  const query = new URLSearchParams({ ...(chain && { chain }), ...(clock === 'manual' && { clock }) })
  await tab.page.goto(`${path}?${query}`)
  await tab.ready()
  await tab.storeChain()
  return tab
}

/** The page's text about who runs the chain. */
const seat = (tab: Playground) => tab.page.getByRole('banner').getByText(/^(runs in|moving to another tab)/)

async function block(tab: Playground, tag: 'latest' | 'pending'): Promise<string> {
  const { number, hash } = (await tab.request('eth_getBlockByNumber', [tag, false])) as Record<string, string>
  return `${tag} ${number} ${hash}`
}
const blocks = (tab: Playground) => Promise.all([block(tab, 'latest'), block(tab, 'pending')])

/** Kills the page's process, as a bug of the browser would. */
async function crash(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // A crash is never answered.
  void cdp.send('Page.crash').catch(() => {})
  await crashed
}

test('tabs share a chain if they name the same one', async ({ context }) => {
  const tabs = [await openTab(context)]
  for (let i = 1; i < 5; i++) tabs.push(await openTab(context))
  const [first, second] = tabs as [Playground, Playground]

  await test.step('five tabs show the same chain, and each sees what the others send', async () => {
    await expect(seat(first)).toHaveText(LEADS)
    for (const follower of tabs.slice(1)) await expect(seat(follower)).toHaveText(FOLLOWS)
    const hash = await second.sendTransfer()
    await first.tick(3)
    await expect(second.transaction(hash)).toHaveAccessibleName(/pre-confirmed/)
    for (const tab of tabs) expect(await blocks(tab)).toEqual(await blocks(first))
    await second.tick(10)
    await expect(second.transaction(hash)).toHaveAccessibleName(/sealed in block 1/)
    for (const tab of tabs) {
      await expect(tab.page.getByRole('banner')).toContainText('latest sealed: #1')
      expect(await blocks(tab)).toEqual(await blocks(first))
      expect(tab.complaints).toEqual([])
    }
  })

  await test.step('chains of different names are different chains', async () => {
    const other = await openTab(context, { chain: 'other' })
    await first.tick(20)
    expect([await first.request('eth_blockNumber'), await other.request('eth_blockNumber')]).toEqual(['0x3', '0x0'])
    await expect(seat(first)).toHaveText(LEADS)
    await expect(seat(other)).toHaveText(LEADS)
  })
})

test('however the tab or the node of the chain ends, another tab goes on with it', async ({ context }) => {
  test.slow()
  let leader = await openTab(context)
  let follower = await openTab(context)
  await test.step('when the tab that runs the chain is closed, another continues it and nothing is lost', async () => {
    const { sealed, preconfirmed } = await follower.populate()
    const before = await blocks(follower)

    await leader.page.close()
    await expect(seat(follower)).toHaveText(LEADS)
    expect(await blocks(follower)).toEqual(before)
    expect(await follower.request('eth_getTransactionReceipt', [sealed])).toMatchObject({ blockNumber: '0x1' })
    await follower.tick(10)
    await expect(follower.transaction(preconfirmed)).toHaveAccessibleName(/sealed in block 2/)
    expect(follower.complaints).toEqual([])
  })

  await test.step('calls pending when the tab of the node crashes are repeated, or end with an error that says what is known', async () => {
    leader = follower
    follower = await openTab(context)
    const hash = await follower.sendTransfer()
    const methods = ['evm_mine', 'eth_getTransactionByHash']
    await follower.request('devnet_failNext', [{ methods, delayMs: 60_000, times: 2 }])
    const edit = follower.refusal('evm_mine', [])
    const read = follower.request('eth_getTransactionByHash', [hash])
    // When this is answered, the two calls before it have reached the node.
    await follower.request('eth_chainId')
    await crash(leader.page)
    expect(await edit).toMatchObject({
      code: 4900,
      message: 'the tab that ran the node has gone while evm_mine was under way; whether it took effect is not known',
    })
    expect(await read).toMatchObject({ hash })
    await expect(seat(follower)).toHaveText(LEADS)
  })

  await test.step('after a crash of the node another tab runs the chain, and a restart joins it there', async () => {
    leader = follower
    follower = await openTab(context)
    await follower.tick(10)
    const [worker] = leader.page.workers()
    await worker?.evaluate(() => {
      setTimeout(() => {
        throw new Error('planted by the test')
      })
    })
    await expect(leader.page.getByText(/planted by the test/).first()).toBeVisible()
    await expect(seat(follower)).toHaveText(LEADS)
    await follower.tick(10)
    await leader.page.getByRole('button', { name: /restart/i }).click()
    await expect(seat(leader)).toHaveText(FOLLOWS)
    expect(await blocks(leader)).toEqual(await blocks(follower))
  })

  await test.step('a silent, hanging node loses its chain to another tab', async () => {
    // The one that has joined again follows.
    ;[leader, follower] = [follower, leader]
    const hash = await follower.sendTransfer()
    await expect(seat(follower)).toHaveText(FOLLOWS)
    const [worker] = leader.page.workers()
    // The worker's loop never ends, so it is not awaited.
    void worker
      ?.evaluate(() => {
        for (;;);
      })
      .catch(() => {})
    expect(await follower.request('eth_getTransactionByHash', [hash])).toMatchObject({ hash })
    await expect(seat(follower)).toHaveText(LEADS)
  })
})

test.describe('with a service worker', () => {
  test.use(AS_VISITOR)

  test('the chain soon continues, however the tab that runs it ends', async ({ context }) => {
    // Opens tabs and waits for blocks four times.
    test.setTimeout(300_000)
    let leader = await openTab(context, { clock: 'auto', path: '/settings' })
    let follower = await openTab(context, { clock: 'auto', path: '/settings' })
    const ways: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
      closed: (page) => page.close(),
      reloaded: (page) => page.reload(),
      crashed: crash,
      // The event of a page that Chromium freezes; its own command only works for hidden pages.
      frozen: (page) => page.evaluate(() => document.dispatchEvent(new Event('freeze'))),
    }
    for (const [how, go] of Object.entries(ways)) {
      await expect(seat(leader)).toHaveText(LEADS)
      await expect(seat(follower)).toHaveText(FOLLOWS)
      const began = Date.now()
      await go(leader.page)
      await expect(seat(follower)).toHaveText(LEADS)
      await follower.request('eth_blockNumber')
      const gapMs = Date.now() - began
      process.stdout.write(`tab ${how}: the next one answers after ${gapMs} ms\n`)
      const pending = await block(follower, 'pending')
      await expect.poll(() => block(follower, 'pending')).not.toBe(pending)
      const returns = how === 'reloaded' || how === 'frozen'
      if (how === 'frozen') await leader.page.evaluate(() => document.dispatchEvent(new Event('resume')))
      const next = returns ? leader : await openTab(context, { clock: 'auto', path: '/settings' })
      leader = follower
      follower = next
      await expect(seat(follower)).toHaveText(FOLLOWS)
      const head = await leader.request('eth_blockNumber')
      const [ours, theirs] = [leader, follower].map((tab) => tab.request('eth_getBlockByNumber', [head, false]))
      expect(await ours).toEqual(await theirs)
    }
  })

  test('a page in the back/forward cache does not run the chain, and joins it again when it returns', async ({
    baseURL,
  }) => {
    // The headless shell has no back/forward cache.
    const browser = await chromium.launch({
      ...chromiumLaunch(),
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
    try {
      const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) })
      const away = await openTab(context)
      await away.tick(10)
      // A service worker that takes over a cached page ends it.
      await away.page.waitForFunction(() => navigator.serviceWorker.controller !== null)
      // The title cannot be used, since the page sets it itself.
      await away.page.evaluate(() =>
        addEventListener('pageshow', ({ persisted }) => {
          document.documentElement.dataset['shown'] = persisted ? 'kept aside' : 'loaded'
        }),
      )
      await away.page.goto('/wallet.js')
      const stays = await openTab(context)
      await expect(seat(stays)).toHaveText(LEADS)
      expect(await stays.request('eth_blockNumber')).toBe('0x1')
      // Playwright is not notified of a page restored from the cache.
      await away.page.evaluate(() => history.back())
      await expect(seat(away)).toHaveText(FOLLOWS)
      await expect(away.page.locator(':root')).toHaveAttribute('data-shown', 'kept aside')
      expect(await blocks(away)).toEqual(await blocks(stays))
    } finally {
      await browser.close()
    }
  })
})

test('the menu of the chain leads to the other chains of this browser', async ({ playground, context, page }) => {
  const other = await openTab(context, { chain: 'demo' })
  await other.tick(11)
  await other.page.close()
  await page.goto('/')
  await playground.ready()
  await page.getByRole('button', { name: 'Chain: main' }).click()
  const chains = page.getByRole('navigation', { name: 'Chains of this browser' })
  await expect(chains.getByRole('link')).toHaveText(['demo'])
  await chains.getByRole('link', { name: 'demo' }).click()
  await playground.ready()
  await expect(page.getByRole('button', { name: 'Chain: demo' })).toBeVisible()
  expect(Number(await playground.request('eth_blockNumber'))).toBeGreaterThanOrEqual(1)
})
