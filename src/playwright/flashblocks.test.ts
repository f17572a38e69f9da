import { brotliDecompressSync } from 'node:zlib'
import type { BrowserContext, WebSocketRoute } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { openChain, viewChain } from '#library/chain.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { Flashblock } from '#rpc-types/subscriptions.ts'
import { Activity } from './activity.ts'
import { type FlashblocksUrls, flashblocksRoutesOf, routeFlashblocks } from './flashblocks.ts'

const BASE = 'wss://mainnet.flashblocks.base.org/ws'

/** A browser that opens WebSockets as a dapp does. */
class FakeBrowser {
  readonly #routes: [matches: (url: URL) => boolean, serve: (socket: WebSocketRoute) => unknown][] = []
  readonly context = {
    routeWebSocket: (matches: (url: URL) => boolean, serve: (socket: WebSocketRoute) => unknown) => {
      this.#routes.push([matches, serve])
      return Promise.resolve()
    },
  } as unknown as BrowserContext

  /** What arrives at the dapp; `undefined` if nothing is routed there. */
  open(url: string) {
    const route = this.#routes.find(([matches]) => matches(new URL(url)))
    if (!route) return undefined
    const received: (string | Buffer)[] = []
    const closed: unknown[] = []
    let leave = () => {}
    route[1]({
      send: (message: string | Buffer) => received.push(message),
      onClose: (listener: () => void) => void (leave = listener),
      close: (how: unknown) => Promise.resolve(closed.push(how)),
    } as unknown as WebSocketRoute)
    return { received, closed, leave: () => leave() }
  }
}

async function started(flashblocks: FlashblocksUrls) {
  const chains = [
    { name: 'l1', open: await openChain({ clock: 'manual' }) },
    { name: 'base', open: await openChain({ clock: 'manual', seed: 9 }) },
  ]
  const [l1, base] = await Promise.all(chains.map(({ open }) => viewChain(open)))
  if (!l1 || !base) throw new Error('there are two chains')
  onTestFinished(async () => {
    for (const chain of [l1, base, ...chains.map(({ open }) => open)]) await chain.close()
  })
  const routed = chains.map(({ name, open }) => ({ name, dapp: open.node }))
  const browser = new FakeBrowser()
  const end = await routeFlashblocks(browser.context, flashblocksRoutesOf(flashblocks, routed), new Activity())
  return { l1, base, browser, end }
}

const read = (bytes: string | Buffer | undefined) =>
  JSON.parse(brotliDecompressSync(bytes as Buffer).toString('utf8')) as Flashblock

test('a dapp reads the partial blocks of the test’s chain where Base’s stream is, compressed', async () => {
  const { l1, browser } = await started([BASE])
  const socket = browser.open(BASE) ?? expect.fail('it is not routed')
  const from = DEV_KEYS[0]?.address ?? expect.fail('no account')
  const hash = await l1.request({ method: 'eth_sendTransaction', params: [{ from, to: from }] })
  await l1.tick(11)
  await expect.poll(() => socket.received.length).toBe(11)
  const blocks = socket.received.map(read)
  expect(blocks.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1])
  expect(Object.keys(blocks[0]?.metadata.receipts ?? {})).toEqual([hash])
  expect(blocks[9]?.base?.block_number).toBe('0x2')
  expect(browser.open('wss://mainnet.flashblocks.base.org/other')).toBeUndefined()
})

test('another address has another chain’s partial blocks, as text', async () => {
  const { base, l1, browser } = await started({ [BASE]: 'l1', 'ws://localhost:1111': { chain: 'base', form: 'text' } })
  const socket = browser.open('ws://localhost:1111/') ?? expect.fail('it is not routed')
  await l1.tick(3)
  await base.tick()
  expect(socket.received).toEqual([expect.stringMatching(/^\{"payload_id":"0x/) as unknown])
})

test('who leaves gets nothing any more, and neither does anybody after the test', async () => {
  const { l1, browser, end } = await started({ [BASE]: { form: 'text' } })
  const [one, two] = [browser.open(BASE), browser.open(BASE)]
  one?.leave()
  await l1.tick()
  end()
  await l1.tick()
  expect([one?.received.length, two?.received.length]).toEqual([0, 1])
})

test.each<[FlashblocksUrls, string]>([
  [['nowhere'], 'flashblocks takes addresses of HTTP or WebSocket, not "nowhere"'],
  [['https://mainnet.base.org'], 'flashblocks takes addresses of WebSocket, not https://mainnet.base.org'],
  [{ [BASE]: 'op' }, 'flashblocks names the chain "op" at wss://mainnet.flashblocks.base.org/ws: this test has l1'],
  [{ [BASE]: { form: 'gzip' as 'text' } }, 'flashblocks has the form "brotli" or "text", not "gzip"'],
  [Array.from({ length: 101 }, () => BASE), 'flashblocks has at most 100 addresses'],
])('addresses that cannot be routed are refused in words', (urls, words) => {
  const chains = [{ name: 'l1', dapp: undefined as never }]
  expect(() => flashblocksRoutesOf(urls, chains)).toThrow(words)
})
