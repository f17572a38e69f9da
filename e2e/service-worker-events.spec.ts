import type { Page } from '@playwright/test'
import { AS_VISITOR } from './playground.ts'
import { expect, fetchIn, openAt, stopServiceWorkers, test } from './service-worker.ts'

test.use(AS_VISITOR)

interface Collected {
  readonly events: unknown[]
  readonly state: () => number
  close(): void
}
declare global {
  interface Window {
    collected: Collected
    /** Resolves when the node was told that a subscriber has gone. */
    subscriberGone: Promise<void>
  }
}

/** Starts to record what callers send to the tab that runs the chain. */
function overhear(page: Page): Promise<void> {
  return page.evaluate(() => {
    const chain = new BroadcastChannel('blinknet:/:main')
    return new Promise((listening) => {
      chain.onmessage = ({ data: announcement }: MessageEvent<{ kind: string; leader: string }>) => {
        if (announcement.kind !== 'leading') return
        chain.close()
        const calls = new BroadcastChannel(`blinknet:/:main/${announcement.leader}`)
        window.subscriberGone = new Promise((resolve) => {
          calls.onmessage = ({ data }: MessageEvent<{ pushed?: boolean; message?: { kind: string } }>) => {
            if (data.pushed && data.message?.kind === 'close') resolve()
          }
        })
        listening()
      }
      chain.postMessage({ kind: 'who' })
    })
  })
}

/** Starts to collect events from the server; resolves when the stream is open. */
function listen(page: Page, query: string): Promise<void> {
  return page.evaluate((asked) => {
    const source = new EventSource(`rpc/events?${asked}`)
    const events: unknown[] = []
    window.collected = { events, state: () => source.readyState, close: () => source.close() }
    const kind = new URLSearchParams(asked).get('kind') ?? ''
    source.addEventListener(kind, ({ data }: MessageEvent<string>) => events.push(JSON.parse(data)))
    source.addEventListener('error', (event) => {
      if ('data' in event) events.push({ error: JSON.parse(String(event.data)) as unknown })
    })
    return new Promise<void>((resolve) => {
      source.onopen = () => resolve()
    })
  }, query)
}

const collected = (page: Page) => page.evaluate(() => window.collected.events)

test('server-sent events follow the chain, and end with their reader', async ({ page, host, context }) => {
  const playground = await openAt(page, `${host.url}?clock=manual`)
  await test.step('an unknown subscription is refused with status 400 and a JSON error', async () => {
    for (const query of ['kind=nonsense', 'kind=newPartialBlocks&mode=nonsense', 'kind=logs&params={', '']) {
      const answer = await fetchIn(page, `rpc/events?${query}`)
      expect(answer).toMatchObject({ status: 400, body: { jsonrpc: '2.0', id: null, error: {} } })
    }
  })

  await test.step('events of partial blocks and of seals come in order', async () => {
    const partials = await context.newPage()
    await partials.goto(`${host.url}dapp.html`)
    await listen(partials, 'kind=newPartialBlocks&mode=diff')
    const heads = await context.newPage()
    await heads.goto(`${host.url}dapp.html`)
    await listen(heads, 'kind=newHeads')

    await playground.tick(25)
    await expect.poll(async () => (await collected(partials)).length).toBe(25)
    const indices = ((await collected(partials)) as { index: number }[]).map(({ index }) => index)
    expect(indices).toEqual(Array.from({ length: 25 }, (_, tick) => (tick + 1) % 10))
    await expect.poll(() => collected(heads)).toHaveLength(2)
    expect(await collected(heads)).toMatchObject([{ number: '0x1' }, { number: '0x2' }])
  })

  await test.step('when the reader goes the subscription ends; after a stop of the worker a new one starts', async () => {
    await overhear(page)
    await listen(page, 'kind=newHeads')
    await page.evaluate(() => window.collected.close())
    await page.evaluate(() => window.subscriberGone)

    await listen(page, 'kind=newHeads')
    await stopServiceWorkers(page)
    const closed = await page.evaluate(() => EventSource.CLOSED)
    await expect.poll(() => page.evaluate(() => window.collected.state())).toBe(closed)
    await listen(page, 'kind=newHeads')
    await playground.tick(10)
    await expect.poll(() => collected(page)).toMatchObject([{ number: '0x3' }])
  })
})
