import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { decode } from 'fast-png'
import { rpc, startServer } from '../../scripts/server.mjs'
import { wrongLooks } from '../looks.ts'
import type { StaticHost } from '../static-host.ts'
import type { BrowserEngine, EngineTab, Role } from './engine.ts'

/** Time limit for a step, with a margin for a busy machine. */
const STEP_TIMEOUT_MS = 60_000
/** Time limit for an element to appear that a person clicks. */
const ACTION_TIMEOUT_MS = 20_000
/** The compiler is 6 MB and has to start. */
const COMPILE_TIMEOUT_MS = 120_000
/** The first seal after a reload waits for the disk, which a busy machine may have much to write to. */
const SEAL_TIMEOUT_MS = 90_000
const OFFLINE_TIMEOUT_MS = 150_000
/** The page's first account. */
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
/** An account of the main net, with its checksum; nobody here has its key. */
const STRANGER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
/** The answer to `eth_chainId`. */
const CHAIN_ID_ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'
/** Time limit for one attempt to query the page, so that a hanging page is queried again. */
const ATTEMPT_MS = 2_000

/** A visitor's steps in one browser, in order. A failing step ends the story. */
export async function tellStory(engine: BrowserEngine, host: StaticHost): Promise<void> {
  let tab = await engine.openTab()
  const step = (title: string, act: () => Promise<void>, timeout = STEP_TIMEOUT_MS) =>
    test.step(title, act, { timeout })
  let hash = ''

  await step('the page opens and its chain runs', async () => {
    await tab.goto(host.url)
    await running(tab)
    await says(tab, /Block #\d+/)
  })

  await step('Tab shows a focus ring on the focused element', async () => {
    for (let presses = 0; presses < 8; presses++) {
      await tab.press('Tab')
      const ring = await tab.evaluate(focusRing)
      expect(ring, 'the focused element has a ring of at least 2 pixels').toMatchObject({
        isVisible: true,
        style: 'solid',
      })
      expect(ring.width).toBeGreaterThanOrEqual(2)
      // A screenshot may be a frame behind.
      await expect
        .poll(() => pixelsOf(tab, ring.points), { message: `the screen shows the ring of ${ring.name}` })
        .toContainEqual(ring.color)
    }
  })

  await step('a transfer is sent, pre-confirmed and sealed', async () => {
    await click(tab, 'button', 'Send transaction')
    await expect.poll(() => ownHash(tab)).toMatch(/^0x[0-9a-f]{64}$/)
    hash = await ownHash(tab)
    await expect.poll(() => ownStatus(tab, hash)).toMatch(/pre-confirmed|sealed/)
    await expect.poll(() => ownStatus(tab, hash)).toMatch(/sealed in block/)
  })

  await step('a visit to another page of the same tab, and the way back, find the chain running', async () => {
    for (const url of [`${host.url}block/1`, `${host.url}dapp.html`, 'about:blank']) {
      await running(tab)
      const before = await head(tab)
      await tab.goto(url)
      if (url.includes('block')) await running(tab)
      await tab.back()
      await running(tab)
      expect(await head(tab)).toBeGreaterThanOrEqual(before)
      await click(tab, 'button', 'Send transaction')
      await isSealed(tab, await newOwnHash(tab, hash))
      hash = await ownHash(tab)
    }
  })

  await step('the explorer lists the transaction, found by its sender', async () => {
    await tab.goto(`${host.url}explore/transactions?f.from=${SENDER}`)
    await running(tab)
    await expect.poll(() => tab.evaluate(listedHashes), { timeout: ACTION_TIMEOUT_MS }).toContain(hash)
    await expect.poll(() => tab.evaluate(avatarSides), { message: 'avatars are drawn' }).toEqual([16])
    await tab.back()
    await running(tab)
  })

  await step('no screen has cut texts, texts over texts, type out of the scale or small targets', async () => {
    for (const screen of ['', `tx/${hash}`, `address/${SENDER}`, 'send', 'settings']) {
      await tab.goto(`${host.url}${screen}`)
      await running(tab)
      await expect.poll(() => tab.evaluate(wrongLooks), { message: `/${screen}` }).toEqual([])
    }
  })

  await step('a tab in the back/forward cache keeps no other tab waiting', async () => {
    await tab.goto(`${host.url}dapp.html`)
    const other = await engine.openTab()
    await other.goto(host.url)
    await running(other)
    await says(other, /runs in this tab/i)
    const before = await head(other)
    await tab.back()
    await running(tab)
    await says(tab, /runs in another tab/i)
    expect(await head(tab)).toBeGreaterThanOrEqual(before)
    await other.close()
    await says(tab, /runs in this tab/i)
    await running(tab)
  })

  await step('a reload loses nothing', async () => {
    const before = await head(tab)
    await tab.reload()
    await running(tab)
    expect(await head(tab)).toBeGreaterThanOrEqual(before)
    await isSealed(tab, hash)
  })

  await step('a second tab follows the first, and runs the chain once the first is closed', async () => {
    const second = await engine.openTab()
    await second.goto(host.url)
    await says(tab, /runs in this tab/i)
    await says(second, /runs in another tab/i)
    await running(second)
    const before = await head(second)
    await tab.close()
    await says(second, /runs in this tab/i)
    tab = second
    await running(tab)
    await expect.poll(() => head(tab)).toBeGreaterThan(before)
    await isSealed(tab, hash)
  })

  await step('other scripts of the page call the chain by fetch', async () => {
    await expect.poll(() => chainIdByFetch(tab)).toBe(CHAIN_ID_ANSWER)
  })

  await step('a chain file is watched as a film, and the page comes back to its own chain', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'blinknet-film-'))
    try {
      const file = path.join(folder, 'sample.blinknet')
      await writeFile(file, Buffer.from(await tab.evaluate(exportChain), 'base64'))
      const before = await head(tab)
      await click(tab, 'button', 'Chain: main')
      await click(tab, 'button', 'Chain storage…')
      await expect(() => tab.choose('File to import', file)).toPass({ timeout: ACTION_TIMEOUT_MS })
      await says(tab, /The file is a Blinknet chain/)
      expect(await tab.evaluate(emptyHeight), 'the dialog is no higher than its text').toBeLessThan(8)
      await click(tab, 'button', 'Watch as a film')
      await expect(() => filmSlider(tab)).toPass({ timeout: ACTION_TIMEOUT_MS })
      await expect.poll(async () => isBeforeItsEnd(await filmSlider(tab)), 'it opens at its first event').toBe(true)
      const { at: first } = await filmSlider(tab)
      for (const [button, at] of [
        ['Forward', first + 1],
        ['Forward', first + 2],
        ['Back', first + 1],
      ] as const) {
        await click(tab, 'button', button)
        await showsMoment(tab, at)
      }
      await click(tab, 'button', 'Leave the film')
      await says(tab, /runs in this tab/i)
      await running(tab)
      await expect.poll(() => head(tab)).toBeGreaterThan(before)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  await step(
    'a contract is compiled and deployed',
    async () => {
      await click(tab, 'link', 'Contracts')
      await click(tab, 'button', 'Compile')
      await says(tab, /Compiled 1 contract in/, COMPILE_TIMEOUT_MS)
      await click(tab, 'button', 'Deploy Counter')
      await says(tab, /Address:/)
    },
    COMPILE_TIMEOUT_MS,
  )

  await step('a call of it is stepped through line by line, forwards and back', async () => {
    await click(tab, 'button', 'Send increment')
    await expect.poll(() => sentBy(tab, 'increment')).not.toBe('')
    await click(tab, 'link', await sentBy(tab, 'increment'))
    await click(tab, 'link', 'Debug step by step')
    await standsAt(tab, 'Counter.increment', 'raise(1);')
    await click(tab, 'button', 'Step into')
    await standsAt(tab, 'Counter.raise', 'count += amount;')
    await click(tab, 'button', 'Back into')
    await standsAt(tab, 'Counter.increment', 'raise(1);')
  })

  await step('its gas by line, what it changed, and the contract’s source and storage are shown', async () => {
    await follow(tab, 'a', 'Transaction 0x')
    await click(tab, 'tab', 'Gas')
    await says(tab, /Counter\.increment[^]*count \+= amount;/)
    await click(tab, 'tab', 'State changes')
    await says(tab, /count\s+uint256\s+0\s+1/)
    await follow(tab, '[aria-label="Changes of Counter"] a', 'Counter')
    await click(tab, 'tab', 'Storage')
    await says(tab, /count\s+uint256\s+1/)
    await click(tab, 'tab', 'Source')
    await says(tab, /function raise[^]*count \+= amount;/)
    await click(tab, 'link', 'Contracts')
  })

  await step(
    'a project of several files is compiled with what it imports',
    async () => {
      await select(tab, 'Project or example', 'Upgrade (OpenZeppelin)')
      await click(tab, 'button', 'Compile')
      await says(tab, /Compiled 3 contracts in/, COMPILE_TIMEOUT_MS)
      await says(tab, /Deploy Box\b/)
      await click(tab, 'link', 'Live')
    },
    COMPILE_TIMEOUT_MS,
  )

  await step('anyone sends, without a key, and the page says so', async () => {
    const before = await ownHash(tab)
    await click(tab, 'link', 'Send')
    await says(tab, /Send a transaction/)
    await expect(() => select(tab, 'From', 'Any other account…')).toPass({ timeout: ACTION_TIMEOUT_MS })
    await says(tab, /Address or name/)
    await type(tab, 'Address or name', STRANGER)
    await says(tab, /0xd8da…6045\s*impersonated/)
    await click(tab, 'button', 'Set its balance to 10.0000 ETH')
    await says(tab, /Pending balance 10\.0000 ETH/)
    await click(tab, 'button', 'Send impersonated')
    const sent = await newOwnHash(tab, before)
    await isSealed(tab, sent)
    expect(await tab.evaluate(transactionOf, sent)).toMatchObject({ from: STRANGER.toLowerCase() })
    await click(tab, 'link', 'Live')
  })

  await step('a dapp’s calls are one transaction, once the account may be upgraded', async () => {
    await tab.evaluate(allowBundles)
    await tab.evaluate(openDapp, `${host.url}dapp.html`)
    await click(tab, 'button', 'Connect 1 account')
    await says(tab, /Upgrade the account\?/)
    await click(tab, 'button', 'Upgrade')
    await says(tab, /Send 2 calls as one transaction\?/)
    await click(tab, 'button', 'Send')
    await expect.poll(() => tab.evaluate(bundleReceipts)).toBe(1)
    await tab.evaluate(() => document.querySelector('iframe[title="A dapp"]')?.remove())
  })

  await step('a load of 200 transactions a second is pre-confirmed and sealed', async () => {
    await setSlider(tab, 'Transactions per second', 200)
    await says(tab, /Sealed\s*[1-9]\d\d\/s/)
    await click(tab, 'button', 'Stop load')
    await running(tab)
  })

  // Before a visit to another origin: a driven window of WebKit is a private one. Once such a window's service worker has
  // ended, its caches are empty and take nothing any more. Safari's other windows keep caches on the disk.
  await step(
    'the page opens without a network',
    async () => {
      await tab.goto(host.url)
      await running(tab)
      await isKeptOffline(tab)
      const before = await head(tab)
      await host.close()
      await tab.reload()
      await running(tab)
      await sealsAfter(tab, before)
      await host.open()
    },
    OFFLINE_TIMEOUT_MS,
  )

  await step('on the stage the scenes pause the chain, send, and add a partial block', async () => {
    await tab.goto(`${host.url}?view=projector`)
    await running(tab)
    await expect.poll(() => tab.evaluate(stageFillsWindow)).toBe(true)
    await pressByScript(tab, 'Begin the scenes')
    await says(tab, /1 of 8 · What a block is/)
    const before = await ownHash(tab)
    await pressByScript(tab, 'Next')
    await pressByScript(tab, 'Next')
    const sent = await newOwnHash(tab, before)
    await expect.poll(() => ownStatus(tab, sent)).toMatch(/in the mempool/)
    await pressByScript(tab, 'Next')
    await expect.poll(() => ownStatus(tab, sent)).toMatch(/pre-confirmed/)
    await pressByScript(tab, 'Next')
    await isSealed(tab, sent)
    await tab.goto(host.url)
    await running(tab)
  })

  await step('every history of a payment is found, and one is looked at', async () => {
    await tab.goto(`${host.url}break/subscribing/silent-stream@0`)
    await running(tab)
    await says(tab, /22 histories/)
    await says(tab, /It waits for ever, and the payment was made\./)
    await says(tab, /the careful one in 0/)
    await tab.goto(host.url)
    await running(tab)
  })

  await step('the page of a server shows the chain of that server, and the page of a host a fork of it', async () => {
    const server = await startServer(['--log', 'error'])
    try {
      await tab.goto(`${server.url}/`)
      await running(tab)
      await click(tab, 'button', 'Send transaction')
      await expect
        .poll(async () => Number(await rpc(server.url, 'eth_getTransactionCount', [SENDER, 'latest'])))
        .toBe(1)
      await says(tab, /was sealed with 1 transaction/)
      await tab.goto(`${host.url}?fork=${encodeURIComponent(server.url)}`)
      await click(tab, 'button', 'Start the fork')
      // The page loads again, under the address of the newest block.
      await expect(async () => expect(await tab.evaluate(() => location.href)).toMatch(/%40\d+#/)).toPass()
      await running(tab)
      await says(tab, /fork of 31337 at #\d+, proven/)
      await click(tab, 'button', 'Send transaction')
      const sent = await newOwnHash(tab, '')
      await isSealed(tab, sent)

      const second = await engine.openTab()
      await second.goto(await tab.evaluate(() => location.href))
      await click(second, 'button', 'Start the fork')
      await running(second)
      await says(second, /runs in another tab/)
      expect(await second.evaluate(transactionOf, sent)).toMatchObject({ hash: sent })
      await second.close()
      await tab.reload()
      await running(tab)
      expect(await tab.evaluate(transactionOf, sent)).toMatchObject({ hash: sent })
    } finally {
      await tab.goto(host.url)
      await server.stop()
    }
    await running(tab)
  })

  await step(
    'a guest joins a room over plain http, sends, and sees the transfer pre-confirmed and sealed',
    async () => {
      const server = await startServer(['--room', '--log', 'error'])
      try {
        const { url } = (await rpc(server.url, 'room_info')) as { readonly url: string }
        if (new URL(url).hostname === '127.0.0.1') {
          // There the page would be a secure context.
          test.info().annotations.push({ type: 'left out', description: 'the room: this machine is in no network' })
          return
        }
        await tab.goto(url)
        await says(tab, /Join the room/)
        expect(await tab.evaluate(() => isSecureContext)).toBe(false)
        await type(tab, 'Your name', 'Ada')
        await click(tab, 'button', 'Join')
        await says(tab, /You are in the room/)
        await tab.evaluate(noteLines)
        await pressByScript(tab, 'Send0.001 ETH')
        await says(tab, /Pre-confirmed in .*, sealed .* later in block \d+/)
        const [line] = await tab.evaluate(notedLines)
        expect(line).toMatch(/^Sent, waiting|^Pre-confirmed in [\d.]+\sm?s$/)
        await tab.reload()
        await says(tab, /You are in the room\s+Ada/)
      } finally {
        await tab.goto(host.url)
        await server.stop()
      }
      await running(tab)
    },
  )
}

/** The visitor in a private window. A failing step ends the story. */
export async function tellPrivateStory(engine: BrowserEngine, host: StaticHost): Promise<void> {
  const step = (title: string, act: () => Promise<void>) => test.step(title, act, { timeout: STEP_TIMEOUT_MS })
  const tab = await engine.openTab()
  let hash = ''

  await step('the page opens in a private window, sends, and the transfer is pre-confirmed', async () => {
    await tab.goto(host.url)
    await running(tab)
    expect(await tab.evaluate(refusalOfFiles), 'private windows have no file system of their own').toBe('SecurityError')
    await click(tab, 'button', 'Send transaction')
    hash = await newOwnHash(tab, '')
    await expect.poll(() => ownStatus(tab, hash)).toMatch(/pre-confirmed|sealed/)
  })

  await step('the page says that a private window forgets its chain', async () => {
    await click(tab, 'button', 'Chain: main')
    await click(tab, 'button', 'Chain storage…')
    await says(tab, /A private window has a chain of its own, and forgets it when it is closed\./)
    await click(tab, 'button', 'Close')
  })

  await step('scripts reach the chain by fetch, and a second tab follows the first', async () => {
    await expect.poll(() => chainIdByFetch(tab)).toBe(CHAIN_ID_ANSWER)
    const second = await engine.openTab()
    await second.goto(host.url)
    await running(second)
    await says(second, /runs in another tab/i)
    await isSealed(second, hash)
    await second.close()
  })

  await step('a reload loses nothing', async () => {
    const before = await head(tab)
    await tab.reload()
    await running(tab)
    expect(await head(tab)).toBeGreaterThanOrEqual(before)
    await isSealed(tab, hash)
  })
}

/** Runs inside the page: the error's name, if the browser refuses the page files of its own. */
async function refusalOfFiles(): Promise<string> {
  try {
    await navigator.storage.getDirectory()
    return ''
  } catch (error) {
    return (error as Error).name
  }
}

/** The answer to `eth_chainId` that a script of the page gets by `fetch`. */
function chainIdByFetch(tab: EngineTab): Promise<string> {
  return tab.evaluate(async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch('rpc', { method: 'POST', headers, body })
    return response.text()
  })
}

/**
 * Runs inside the page: the outline of the focused element, and points of the window in the middle of each of its
 * sides.
 */
function focusRing() {
  const focused = document.activeElement
  if (!focused || focused === document.body) throw new Error('nothing has focus')
  const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(focused)
  const { left, right, top, bottom } = focused.getBoundingClientRect()
  const width = Number.parseFloat(outlineWidth)
  const beside = Number.parseFloat(outlineOffset) + width / 2
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const points: readonly (readonly [number, number])[] = [
    [x, top - beside],
    [x, bottom + beside],
    [left - beside, y],
    [right + beside, y],
  ]
  return {
    name: focused.getAttribute('aria-label') ?? focused.textContent ?? '',
    isVisible: focused.matches(':focus-visible'),
    style: outlineStyle,
    width,
    color: (outlineColor.match(/\d+/g) ?? []).slice(0, 3).map(Number),
    points: points.map(([across, down]) => [Math.floor(across), Math.floor(down)] as const),
  }
}

/** The colours at these points of the tab's window: red, green and blue. */
async function pixelsOf(tab: EngineTab, points: readonly (readonly [number, number])[]): Promise<number[][]> {
  const { width, data, channels } = decode(await tab.screenshot())
  return points.map(([x, y]) => [...data.slice((y * width + x) * channels, (y * width + x) * channels + 3)])
}

/** Clicks an element that is there or appears soon. */
function click(tab: EngineTab, role: Role, name: string): Promise<void> {
  return expect(() => tab.click(role, name)).toPass({ timeout: ACTION_TIMEOUT_MS })
}

/** Follows the first link whose text begins like this. */
async function follow(tab: EngineTab, links: string, name: string): Promise<void> {
  const press = ([selector, wanted]: readonly [string, string]) => {
    const found = [...document.querySelectorAll(selector)].find(({ textContent }) => textContent?.startsWith(wanted))
    ;(found as HTMLElement | undefined)?.click()
    return found !== undefined
  }
  await expect.poll(() => tab.evaluate(press, [links, name] as const), { message: `there is “${name}”` }).toBe(true)
}

/**
 * Presses the button whose text begins like this by script: WebKit's driver looks for what is enlarged in the wrong
 * place, and browsers spell the names of buttons with several lines differently.
 */
async function pressByScript(tab: EngineTab, name: string): Promise<void> {
  const press = (wanted: string) => {
    const buttons = [...document.querySelectorAll('button')]
    const found = buttons.find(({ disabled, textContent }) => !disabled && textContent?.startsWith(wanted))
    found?.click()
    return found !== undefined
  }
  await expect.poll(() => tab.evaluate(press, name), { message: `“${name}” can be pressed` }).toBe(true)
}

/** Runs inside the page: whether the keys of the stage stand at the foot of the window. */
function stageFillsWindow(): boolean {
  const keys = document.querySelector('section[aria-label=Controls]')
  if (!keys) return false
  // WebKit tells places before they are enlarged.
  const zoom = Number(document.documentElement.style.getPropertyValue('--zoom'))
  const { bottom } = keys.getBoundingClientRect()
  return [bottom, bottom * zoom].some((at) => Math.abs(at - (window.innerHeight - 16)) < 3)
}

/** Waits until the chain answers; where it does not, the error has what the page shows and who holds its locks. */
async function running(tab: EngineTab): Promise<void> {
  try {
    await expect.poll(() => tryHead(tab), { message: 'the chain answers' }).toBeGreaterThanOrEqual(0)
  } catch (cause) {
    throw new Error(`the chain does not answer: ${await tab.evaluate(describePage, ATTEMPT_MS)}`, { cause })
  }
}

/** Number of the newest sealed block; −1 if the chain does not answer in time. */
function tryHead(tab: EngineTab): Promise<number> {
  return tab.evaluate(async (patienceMs) => {
    const { devnet } = window
    if (!devnet) return -1
    const late = new Promise<string>((resolve) => setTimeout(() => resolve('-1'), patienceMs))
    const asked = devnet.ready.then(() => devnet.request({ method: 'eth_blockNumber' }))
    return Number(await Promise.race([asked, late]))
  }, ATTEMPT_MS)
}

async function head(tab: EngineTab): Promise<number> {
  const number = await tryHead(tab)
  if (number < 0) throw new Error('the chain does not answer')
  return number
}

/** Waits for a later sealed block than `before`; where none comes, the error has what the node says of itself. */
async function sealsAfter(tab: EngineTab, before: number): Promise<void> {
  try {
    await expect.poll(() => head(tab), { timeout: SEAL_TIMEOUT_MS }).toBeGreaterThan(before)
  } catch (cause) {
    throw new Error(`no block after ${before} is sealed: ${await tab.evaluate(describeChain, ATTEMPT_MS)}`, { cause })
  }
}

/** Runs inside the page: the chain's clock, its storage and its live block. */
async function describeChain(patienceMs: number): Promise<string> {
  const late = new Promise((resolve) => setTimeout(() => resolve('no answer'), patienceMs))
  const asked = ['devnet_status', 'devnet_getStorage', 'eth_getBlockTransactionCountByNumber'].map((method) => {
    const params = method.startsWith('eth_') ? ['pending'] : []
    return Promise.race([window.devnet?.request({ method, params }).catch(String), late])
  })
  return JSON.stringify(await Promise.all(asked))
}

/** Runs inside the page: where it is, what it shows and has loaded, and the locks of its origin. */
async function describePage(patienceMs: number): Promise<string> {
  const late = new Promise((resolve) => setTimeout(() => resolve('no answer'), patienceMs))
  return JSON.stringify({
    address: location.href,
    isStarted: window.devnet !== undefined,
    isControlled: navigator.serviceWorker?.controller?.state,
    text: document.body.innerText.slice(0, 500),
    loaded: performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)),
    locks: await Promise.race([navigator.locks?.query(), late]),
  })
}

/** Waits until the page's visible text matches. */
async function says(tab: EngineTab, what: RegExp, timeout = STEP_TIMEOUT_MS): Promise<void> {
  await expect.poll(() => tab.evaluate(() => document.body.innerText), { timeout }).toMatch(what)
}

/** Runs inside the page: its chain as a file, in base64. */
async function exportChain(): Promise<string> {
  return String(await window.devnet?.request({ method: 'devnet_exportChain' }))
}

/** Runs in the page: widths of the grounds of the avatars in the list of transactions, in CSS pixels. */
function avatarSides(): readonly number[] {
  const grounds = document.querySelectorAll('[data-testid="tx-row"] a svg path:first-child')
  return [...new Set([...grounds].map((ground) => ground.getBoundingClientRect().width))]
}

/** Runs in the page: hashes of the rows of the list of transactions. */
function listedHashes(): readonly (string | null)[] {
  const rows = document.querySelectorAll('nav[aria-label="Lists"] ~ div tr[data-hash]')
  return [...rows].map((row) => row.getAttribute('data-hash'))
}

/** Runs inside the page: pixels between the text of the open dialog and the end of its room. */
function emptyHeight(): number {
  const [, body] = document.querySelector('dialog[open]')?.children ?? []
  const last = body?.lastElementChild
  if (!body || !last) throw new Error('no dialog with text is open')
  return body.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom
}

/** Where the film's slider stands: which moment of how many, and its place in the chain. */
async function filmSlider(tab: EngineTab) {
  const text = await tab.evaluate(
    () => document.querySelector('input[aria-label=Moment]')?.getAttribute('aria-valuetext') ?? '',
  )
  const place = /^block (\d+), partial block (\d+),.* moment (\d+) of (\d+)$/.exec(text)
  if (!place) throw new Error(`no film is shown: ${text}`)
  const [block = 0, index = 0, at = 0, count = 0] = place.slice(1).map(Number)
  return { block, index, at, count }
}

function isBeforeItsEnd({ at, count }: { at: number; count: number }): boolean {
  return count > 3 && at < count - 2
}

/** Waits until both the slider and the pending block on the screen are at this moment of the film. */
async function showsMoment(tab: EngineTab, moment: number): Promise<void> {
  await expect.poll(async () => (await filmSlider(tab)).at).toBe(moment)
  const { block, index } = await filmSlider(tab)
  await says(tab, new RegExp(`Block #${block}\\s+Pending\\s+${index} of`))
}

/** Runs inside the page: wallets offer to upgrade accounts, so that a bundle of calls is one transaction. */
function allowBundles(): Promise<unknown> {
  return window.devnet?.request({ method: 'devnet_setAtomicBundles', params: ['ready'] }) ?? Promise.reject()
}

/** Runs inside the page: opens a dapp in a frame, which connects to the page's wallet and sends two calls at once. */
function openDapp(url: string): void {
  interface Wallet {
    readonly request: (call: { readonly method: string; readonly params: readonly unknown[] }) => Promise<unknown>
  }
  const frame = document.createElement('iframe')
  frame.src = url
  frame.title = 'A dapp'
  frame.onload = () => {
    const { contentWindow: shop, contentDocument: page } = frame
    if (!shop || !page || page.querySelector('script[data-wallet]')) return
    async function buy({ request }: Wallet): Promise<void> {
      const [from] = (await request({ method: 'eth_requestAccounts', params: [] })) as readonly string[]
      const chainId = await request({ method: 'eth_chainId', params: [] })
      const calls = [1, 2].map((wei) => ({ to: `0x${'5a'.repeat(20)}`, value: `0x${wei}` }))
      const bundle = { version: '2.0.0', from, chainId, atomicRequired: true, calls }
      const { id } = (await request({ method: 'wallet_sendCalls', params: [bundle] })) as { readonly id: string }
      Object.assign(window, { bundle: id })
    }
    shop.addEventListener('eip6963:announceProvider', (event) => {
      void buy((event as CustomEvent<{ readonly provider: Wallet }>).detail.provider)
    })
    const script = page.createElement('script')
    script.dataset['wallet'] = ''
    script.src = new URL('wallet.js', url).href
    page.head.append(script)
  }
  document.body.append(frame)
}

/** Runs inside the page: how many receipts the bundle of {@link openDapp} has; 0 while it has none. */
async function bundleReceipts(): Promise<number> {
  const id: unknown = Reflect.get(window, 'bundle')
  if (typeof id !== 'string') return 0
  const status = await window.devnet?.request({ method: 'wallet_getCallsStatus', params: [id] })
  return status?.receipts?.length ?? 0
}

/** Runs inside the page: a transaction, as its chain tells it. */
function transactionOf(hash: string): Promise<unknown> {
  return (
    window.devnet?.request({ method: 'eth_getTransactionByHash', params: [hash as `0x${string}`] }) ?? Promise.reject()
  )
}

/** The page's text about one of its transactions, such as `Transaction 0x… …`; `0x` stands for any. */
function ownStatus(tab: EngineTab, hash: string): Promise<string> {
  return tab.evaluate((wanted) => {
    const names = [...document.querySelectorAll('output, [role=status]')].map(
      (found) => found.getAttribute('aria-label') ?? '',
    )
    return names.find((name) => name.startsWith(`Transaction 0x${wanted.slice(2)}`)) ?? ''
  }, hash)
}

/** The text of the link to the transaction that a contract's function has sent; empty if there is none. */
function sentBy(tab: EngineTab, name: string): Promise<string> {
  return tab.evaluate((wanted) => {
    const cards = [...document.querySelectorAll('article')]
    const card = cards.find((each) =>
      document.getElementById(each.getAttribute('aria-labelledby') ?? '')?.textContent?.startsWith(wanted),
    )
    return card?.querySelector('a[href*="/tx/0x"]')?.textContent?.trim() ?? ''
  }, name)
}

/** Waits until the debugger is in this function, and marks this line of the source. */
async function standsAt(tab: EngineTab, callable: string, line: string): Promise<void> {
  const place = () =>
    tab.evaluate(() => {
      const current = (list: string) => document.querySelector(`${list} li[aria-current]`)
      const source = current('[aria-label^="Source "]')?.querySelector('code')?.textContent ?? ''
      const callee = current('ol[aria-label="Call stack"]')?.querySelector('code')?.textContent ?? ''
      return [callee, source.trim()]
    })
  await expect.poll(place, { timeout: STEP_TIMEOUT_MS }).toEqual([callable, line])
}

async function ownHash(tab: EngineTab): Promise<string> {
  return /^Transaction (0x[0-9a-f]{64})/.exec(await ownStatus(tab, '0x'))?.[1] ?? ''
}

async function newOwnHash(tab: EngineTab, old: string): Promise<string> {
  await expect.poll(() => ownHash(tab)).not.toMatch(new RegExp(`^(${old})?$`))
  return ownHash(tab)
}

/** Waits until the chain has the transaction in a sealed block. */
async function isSealed(tab: EngineTab, hash: string): Promise<void> {
  await tab.evaluate(async (wanted) => {
    await window.devnet?.waitFor(wanted as `0x${string}`, 'sealed')
  }, hash)
}

/** Runs inside the page: notes each thing that a guest's screen says of the newest transaction, from now on. */
function noteLines(): void {
  const noted: string[] = []
  Object.assign(window, { noted })
  const note = () => {
    const line = document.querySelector('ol li')?.textContent ?? ''
    if (line !== '' && line !== noted.at(-1)) noted.push(line)
  }
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
}

/** Runs inside the page: what {@link noteLines} has noted. */
function notedLines(): readonly string[] {
  return (window as unknown as { readonly noted: readonly string[] }).noted
}

/** Types into a text field, as React sees it. */
function type(tab: EngineTab, name: string, value: string): Promise<void> {
  return tab.evaluate(
    ([label, text]) => {
      const field = [...document.querySelectorAll('input')].find((each) => each.labels?.[0]?.textContent === label)
      if (!field) throw new Error(`no field "${label}"`)
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    },
    [name, value] as const,
  )
}

/** Chooses an option of a list by its label. */
function select(tab: EngineTab, name: string, option: string): Promise<void> {
  return tab.evaluate(
    ([label, wanted]) => {
      const list = [...document.querySelectorAll('select')].find((each) => each.labels[0]?.textContent === label)
      const found = [...(list?.options ?? [])].find(({ text }) => text === wanted)
      if (!list || !found) throw new Error(`no option "${wanted}" of "${label}"`)
      list.value = found.value
      list.dispatchEvent(new Event('change', { bubbles: true }))
    },
    [name, option] as const,
  )
}

function setSlider(tab: EngineTab, name: string, value: number): Promise<void> {
  return tab.evaluate(
    ([label, rate]) => {
      const slider = [...document.querySelectorAll<HTMLInputElement>('input[type=range]')].find(
        (input) => (input.getAttribute('aria-label') ?? input.labels?.[0]?.textContent) === label,
      )
      if (!slider) throw new Error(`no slider "${label}"`)
      // As a person has it before the eyes. WebKit leaves what is out of sight out of the page's text.
      slider.scrollIntoView({ block: 'center' })
      // The slider's steps are not the rates, so find the step whose text has the rate, as a person does.
      const property = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
      for (let step = 0; step <= Number(slider.max); step++) {
        property?.set?.call(slider, String(step))
        slider.dispatchEvent(new Event('input', { bubbles: true }))
        if (slider.getAttribute('aria-valuetext')?.startsWith(`${rate} `)) return
      }
      throw new Error(`no step of "${label}" is ${rate}`)
    },
    [name, value] as const,
  )
}

/** Waits until the service worker has cached the page. */
async function isKeptOffline(tab: EngineTab): Promise<void> {
  const isKept = () =>
    tab.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      // Not any cache: the compiler is kept in one, too.
      const page = await caches.match(registration.scope, { ignoreVary: true })
      return (
        registration.active?.state === 'activated' && navigator.serviceWorker.controller !== null && page !== undefined
      )
    })
  await expect.poll(isKept).toBe(true)
}
