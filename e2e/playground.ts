import { test as base, type CDPSession, expect, type Locator, type Page } from '@playwright/test'
import type { DevTools } from '../src/client/session/dev-tools.ts'

type Hash = `0x${string}`

/** Options in the page's address. */
export interface OpenOptions {
  readonly path?: string
  /** Default `manual`: the chain advances when the test says so. */
  readonly clock?: 'auto' | 'manual'
  readonly theme?: 'light' | 'dark'
  readonly seed?: number
  /**
   * Default: the test's `storage`. `off`: the address asks for a chain in memory. `stored`: the chain from the address
   * is stored, as by a person's press of the page's button. `asked`: that question is still open.
   */
  readonly storage?: 'off' | 'stored' | 'asked'
}

/**
 * The page with everything a visitor's browser has: a stored chain, its service worker, and motion. Only for tests
 * about one of these, since it took two fifths of the time of all others.
 */
export const AS_VISITOR = {
  storage: 'stored',
  serviceWorkers: 'allow',
  contextOptions: { reducedMotion: 'no-preference' },
} as const

/** The page as a person meets it: roles and accessible names only. */
export class Playground {
  readonly page: Page
  private readonly storage: NonNullable<OpenOptions['storage']>
  /** Errors thrown or logged by the page; the test fails unless this is empty at its end. */
  readonly complaints: string[] = []
  readonly sendButton: Locator
  readonly stepButton: Locator
  /** Opens the clock, the storage and all else about the chain. */
  readonly chainButton: Locator
  readonly pendingBlock: Locator
  readonly partialBlocks: Locator
  readonly transactions: Locator

  constructor(page: Page, storage: NonNullable<OpenOptions['storage']> = 'stored') {
    this.page = page
    this.storage = storage
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      // For other documents the browser requests a default icon; the page names its own.
      const isIcon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isIcon) this.complaints.push(message.text())
    })
    this.sendButton = page.getByRole('button', { name: 'Send transaction', exact: true })
    this.stepButton = page.getByRole('button', { name: 'Step', exact: true })
    this.chainButton = page.getByRole('button', { name: /^Chain: / })
    this.pendingBlock = page.getByRole('region', { name: 'Pending block' })
    this.partialBlocks = page.getByRole('list', { name: 'Partial blocks' })
    this.transactions = page.getByRole('table', { name: 'Transactions' })
  }

  /** Opens the page and waits until its chain runs. */
  async open({ path = '/', clock = 'manual', theme, seed, storage = this.storage }: OpenOptions = {}): Promise<void> {
    const query = new URLSearchParams()
    if (clock === 'manual') query.set('clock', 'manual')
    if (theme !== undefined) query.set('theme', theme)
    if (seed !== undefined) query.set('seed', String(seed))
    if (storage === 'off') query.set('storage', 'off')
    await this.page.goto(`${path}?${query}`)
    await this.ready()
    if (storage === 'stored') await this.storeChain()
  }

  /** Stores a chain that is in memory only because its options came from the address. */
  async storeChain(): Promise<void> {
    const kind = async () => ((await this.request('devnet_getStorage')) as { readonly kind: string }).kind
    // Without storage another notice is shown.
    const notice = this.page.getByRole('region', { name: 'This chain is only in memory' })
    if ((await kind()) === 'journal' || (await notice.getByRole('alert').isVisible())) return
    const button = notice.getByRole('button', { name: 'Start it over and store it' })
    if (!(await button.isVisible())) return
    await button.click()
    await expect.poll(kind).toBe('journal')
  }

  /** Opens an address that does not exist, with this heading. */
  async openNothing(path: string, heading: string): Promise<void> {
    const { search } = new URL(this.page.url())
    await this.page.goto(`${path}${search}`)
    await this.ready()
    await expect(this.page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }

  async ready(): Promise<void> {
    // Chromium can lose sight of a promise that takes long (microsoft/playwright#41826), and the document may be left for
    // another one whose scripts have not run yet; asking again is harmless.
    await expect(async () => {
      await this.page.waitForFunction(() => window.devnet !== undefined)
      const isReady = await this.page.evaluate(async () => {
        await window.devnet?.ready
        return window.devnet !== undefined
      })
      if (!isReady) throw new Error('the document has no chain yet')
    }).toPass()
  }

  /** Presses **Send transaction**; resolves with the hash once the page shows the transaction. */
  sendTransfer(): Promise<Hash> {
    return this.sendTransferBy(() => this.sendButton.click())
  }

  /** Runs an action that sends a transfer; resolves with the hash once the page shows the transaction. */
  async sendTransferBy(act: () => Promise<void>): Promise<Hash> {
    const before = await this.newestOwnHash()
    await act()
    await expect.poll(() => this.newestOwnHash()).not.toBe(before)
    const hash = await this.newestOwnHash()
    if (!hash) throw new Error('the page shows no own transaction')
    return hash
  }

  /** Seals block 1 with a transfer in it and pre-confirms another; resolves with their hashes. */
  async populate(): Promise<{ sealed: Hash; preconfirmed: Hash }> {
    const sealed = await this.sendTransfer()
    await this.tick(10)
    const preconfirmed = await this.sendTransfer()
    await this.tick()
    await expect(this.transaction(preconfirmed)).toHaveAccessibleName(/pre-confirmed in block 2/)
    return { sealed, preconfirmed }
  }

  /** The page's text about the transaction. */
  transaction(hash: Hash): Locator {
    return this.page.getByRole('status', { name: new RegExp(`^Transaction ${hash}`) })
  }

  /** Adds a partial block as a person does: by the menu of the chain. */
  async step(): Promise<void> {
    await this.chainButton.click()
    await this.stepButton.click()
    await this.page.keyboard.press('Escape')
  }

  tick(n = 1): Promise<Awaited<ReturnType<DevTools['tick']>> | undefined> {
    return this.page.evaluate((count) => window.devnet?.tick(count), n)
  }

  /** Asks the page's provider, as any script of the page may. */
  request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.page.evaluate((call) => window.devnet?.request(call), { method, params })
  }

  /** The error of a refused call to the page's provider; throws if it is not refused. */
  refusal(method: string, params: readonly unknown[]): Promise<{ code: number; message: string; data: unknown }> {
    return this.page.evaluate(
      async (call) => {
        try {
          await window.devnet?.request(call)
        } catch (error) {
          const { code, message, data } = error as { code: number; message: string; data: unknown }
          return { code, message, data }
        }
        throw new Error(`${call.method} was not refused`)
      },
      { method, params },
    )
  }

  /** Follows the link from the page's list to the transaction. */
  async openTransaction(hash: Hash): Promise<void> {
    await this.transactions
      .getByRole('row')
      .filter({ has: this.page.getByRole('link', { name: hash.slice(0, 6) }) })
      .getByRole('link')
      .first()
      .click()
    await expect(this.page).toHaveURL(new RegExp(`/tx/${hash}`))
  }

  async openSealedBlock(number: number): Promise<void> {
    await this.page
      .getByRole('list', { name: 'Sealed blocks' })
      .getByRole('link', { name: `Block ${number},` })
      .click()
    await expect(this.page).toHaveURL(new RegExp(`/block/${number}`))
  }

  async openPendingBlock(): Promise<void> {
    await this.pendingBlock.getByRole('link', { name: /^Block #/ }).click()
    await expect(this.page).toHaveURL(/\/block\//)
  }

  async openConsole(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'RPC' }).click()
    await expect(this.page.getByRole('heading', { level: 1, name: 'RPC console' })).toBeVisible()
  }

  /** Chooses a method at the RPC console and runs it with the parameters, or with its example. */
  async runInConsole(method: string, params?: readonly unknown[]): Promise<void> {
    await this.page.getByRole('option', { name: method, exact: true }).click()
    if (params) await this.page.getByRole('textbox', { name: 'Parameters' }).fill(JSON.stringify(params))
    await this.page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(this.page.getByRole('status', { name: 'Result of the request' })).toHaveText(new RegExp(`^${method} `))
  }

  private async newestOwnHash(): Promise<Hash | undefined> {
    const status = this.page.getByRole('status', { name: /^Transaction 0x/ })
    if ((await status.count()) === 0) return undefined
    const name = await status.first().getAttribute('aria-label')
    return /0x[0-9a-f]{64}/.exec(name ?? '')?.[0] as Hash | undefined
  }
}

export const test = base.extend<{ storage: NonNullable<OpenOptions['storage']>; playground: Playground }>({
  storage: ['off', { option: true }],
  playground: async ({ page, storage }, use) => {
    const playground = new Playground(page, storage)
    await page.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ effectiveDirective, sample, blockedURI }) =>
        reportError(new Error(`policy violated: ${effectiveDirective} by ${blockedURI} ${sample}`)),
      ),
    )
    await use(playground)
    expect(playground.complaints).toEqual([])
  },
})

/** What chooses the size of text of a page: at the end of its session, the browser's own size comes back. */
const textSizes = new WeakMap<Page, CDPSession>()

/** Chooses the size of text in the browser, in pixels, as a person does. Whatever else is emulated afterwards undoes it. */
export async function chooseTextSize(page: Page, pixels: number): Promise<void> {
  const devtools = textSizes.get(page) ?? (await page.context().newCDPSession(page))
  textSizes.set(page, devtools)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: pixels } })
  await expect(page.locator(':root')).toHaveCSS('font-size', `${pixels}px`)
}

/** Opens an address of the page without a reload, as its own links do. */
export async function visit(playground: Playground, path: string): Promise<void> {
  await playground.page.evaluate((to) => {
    history.pushState(null, '', `${to}${location.search}`)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

export { expect }
