import { expect, type Frame, type Page } from '@playwright/test'
import { test as base, Playground } from './playground.ts'
import { type StaticHost, startStaticHost } from './static-host.ts'

/** An answer from the node's address. */
export interface RpcAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Fetches as a script of the frame; parses the body as JSON if possible. */
export function fetchIn(frame: Page | Frame, path: string, init: RequestInit = {}): Promise<RpcAnswer> {
  return frame.evaluate(
    async ([to, options]) => {
      const response = await fetch(new URL(to, location.href), options)
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: isJson ? (JSON.parse(text) as unknown) : text,
      }
    },
    [path, init] as const,
  )
}

/** Calls a method by `POST rpc`. */
export function callIn(frame: Page | Frame, method: string, params: readonly unknown[] = []): Promise<RpcAnswer> {
  return fetchIn(frame, 'rpc', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}

/** The answer to `eth_chainId`. */
export const CHAIN_ID = { status: 200, body: { jsonrpc: '2.0', id: 1, result: '0x7a69' } }

/** Opens Blinknet at `url` and waits until other scripts can call its chain. */
export async function openAt(page: Page, url: string): Promise<Playground> {
  const playground = new Playground(page)
  await page.goto(url)
  await playground.ready()
  await routeReady(page)
  return playground
}

/** Waits until the page says that the RPC endpoint is ready. */
export async function routeReady(page: Page): Promise<void> {
  await expect(page.getByRole('contentinfo', { name: 'RPC endpoint' })).toContainText('In this browser only')
}

/** Adds a frame of the same site to a dapp's page, or one whose sandbox gives it an opaque origin. */
export async function addFrame(dapp: Page, kind: 'inner' | 'sandboxed'): Promise<Frame> {
  await dapp.evaluate(
    (name) =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe')
        if (name === 'sandboxed') frame.sandbox.add('allow-scripts')
        frame.name = name
        frame.src = `dapp.html?${name}`
        frame.onload = resolve
        document.body.append(frame)
      }),
    kind,
  )
  const frame = dapp.frame(kind)
  if (!frame) throw new Error('the dapp has no frame')
  return frame
}

/** Stops all service workers, as the browser does when it needs memory. */
export async function stopServiceWorkers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  await session.detach()
}

/** `host` serves the built page on a separate origin for the test. */
export const test = base.extend<{ host: StaticHost }>({
  // oxlint-disable-next-line no-empty-pattern
  host: async ({}, use) => {
    const host = await startStaticHost({ folder: 'dist/page' })
    await use(host)
    await host.close()
  },
})

export { expect }
