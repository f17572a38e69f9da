import type { Browser, Page } from '@playwright/test'
import { expectNoFindings } from './axe.ts'
import { expect, expectFailedRequests, type RemoteNode, test } from './remote-nodes.ts'
import { expectStageFits } from './stage.ts'

/** Where guests reach the room: plain http on a private address, which no browser takes for a secure context. */
async function guestAddress(node: RemoteNode): Promise<string> {
  const { url } = (await node.rpc('room_info')) as { readonly url: string }
  test.skip(new URL(url).hostname === '127.0.0.1', 'this machine is in no network: nobody could be a guest')
  return url
}

/** A phone of its own, with what it complains of. */
async function phone(browser: Browser, complaints: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => complaints.push(message))
  return page
}

async function join(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.getByRole('button', { name: 'Join' }).click()
  await expect(page.getByRole('heading', { name: 'You are in the room' })).toBeFocused()
}

/** Names as people have them, and as they try them: each is shown whole, as text. */
const NAMES = [
  'Guest of row 1',
  'Bartholomew Wendelin',
  'WWWWWWWWWWWWWWWWWWWW',
  '<b>bold</b><img src>',
  'مرحبا بالعالم',
  '😀🎉🥁',
]

/** An account of the node, not a guest's. */
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const FORBIDDEN = [
  'anvil_setBalance',
  'anvil_impersonateAccount',
  'devnet_pause',
  'evm_mine',
  'eth_sendTransaction',
  'debug_traceCall',
  'eth_accounts',
]

const sendButton = (page: Page) => page.getByRole('button', { name: /^Send/ })
const sent = (page: Page) => page.getByRole('list', { name: 'Your transactions' }).getByRole('listitem')

test('six phones send into the chain of one stage, which shows who they are; they can do nothing else', async ({
  playground,
  page,
  browser,
  nodes,
}) => {
  // Seven pages at a time.
  test.setTimeout(360_000)
  const node = await nodes.blinknet(['--room'])
  const url = await guestAddress(node)
  await page.goto(`${node.http}/?view=projector`)
  await playground.ready()
  await expect(page.getByText('Nobody has joined yet')).toBeVisible()
  await expect(page.getByRole('link', { name: new URL(url).host })).toHaveAttribute('href', url)

  const complaints: string[] = []
  const phones = await Promise.all(Array.from({ length: 6 }, () => phone(browser, complaints)))
  // A guest whose link asks for a load is not offered one.
  await Promise.all(phones.map((each, i) => join(each, i === 0 ? `${url}?load=50` : url, NAMES[i] ?? '')))
  await Promise.all(phones.map((each) => sendButton(each).click()))
  await Promise.all(
    phones.map((each) =>
      expect(sent(each)).toHaveText(/^Pre-confirmed in .*\sm?s, sealed .* later in block \d+$/, { timeout: 90_000 }),
    ),
  )
  const guests = page.getByRole('list', { name: 'Guests' }).getByRole('listitem')
  for (const name of NAMES) {
    await expect(guests.filter({ has: page.getByText(name, { exact: true }) })).toHaveText(/1 transaction$/)
  }
  await expect(page.getByText('6 here')).toBeVisible()
  await expectStageFits(page)

  const [first] = phones
  if (!first) throw new Error('there are phones')
  expect(await first.evaluate(() => [isSecureContext, 'locks' in navigator, 'serviceWorker' in navigator])).toEqual([
    false,
    false,
    false,
  ])
  await expect(first.getByText('This page came over plain http')).toBeVisible()
  const refusals = await first.evaluate(async (methods) => {
    const messages: string[] = []
    for (const method of methods) {
      try {
        await window.devnet?.request({ method, params: [] })
        messages.push(`${method} was answered`)
      } catch (error) {
        messages.push((error as Error).message)
      }
    }
    return messages
  }, FORBIDDEN)
  expect(refusals).toHaveLength(FORBIDDEN.length)
  for (const message of refusals) expect(message).toContain('guests of this room')

  // A look around, at every screen that a guest has, and back; meanwhile a transaction waits, whose contents are not for guests.
  await node.rpc('eth_sendTransaction', { from: BOB, to: BOB, value: '0x1', nonce: '0x9' })
  await first.getByRole('button', { name: 'Look around' }).click()
  await expect(first.getByRole('list', { name: 'Sealed blocks' }).getByRole('link').first()).toBeVisible()
  await expect(first.getByRole('navigation', { name: 'Screens' }).getByRole('link')).toHaveText([
    'Live',
    'Explore',
    'RPC',
    'Settings',
  ])
  await expect(first.getByRole('button', { name: /Pause|Step|Start the load/ })).toHaveCount(0)
  for (const name of ['Explore', 'RPC', 'Settings', 'Live']) {
    await first.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name }).click()
    await expect(first.getByRole('main').getByRole('heading').first()).toBeVisible()
  }
  expect(complaints).toEqual([])
  await first.getByRole('button', { name: 'Back to my button' }).click()
  await expect(sent(first)).toHaveCount(1)

  // The last scene invites into the room.
  const title = page.getByText(/^\d of 8 · /)
  await expect(async () => {
    await page.keyboard.press('PageDown')
    await expect(title).toHaveText('7 of 8 · The same on your phone', { timeout: 500 })
  }).toPass()
  await expect(page.getByText('your phone sends into this chain')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Audience' })).toBeVisible()
  await expectStageFits(page)

  // After a reload a phone is the same guest; without the server it says so.
  await first.reload()
  await expect(first.getByText('Guest of row 1')).toBeVisible()
  expectFailedRequests(playground)
  await page.close()
  await node.stop()
  await expect(first.getByRole('heading', { name: 'The connection was lost' })).toBeVisible()
  expect(complaints).toEqual([])
  await Promise.all(phones.map((each) => each.context().close()))
})

test.describe('axe', () => {
  // axe is injected as a string, which the page's policy forbids.
  test.use({ bypassCSP: true })

  test('axe finds nothing on a guest’s screen', async ({ playground, page, nodes }) => {
    const node = await nodes.blinknet(['--room'])
    await page.goto(await guestAddress(node))
    await expect(page.getByRole('heading', { name: 'Join the room' })).toBeVisible()
    await expectNoFindings(page, 'door')
    await join(page, page.url(), 'Ada')
    await sendButton(page).click()
    await expect(sent(page)).toHaveText(/^Pre-confirmed/)
    await expectNoFindings(page, 'inside, light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectNoFindings(page, 'inside, dark', 'colour')
    expectFailedRequests(playground)
  })
})
