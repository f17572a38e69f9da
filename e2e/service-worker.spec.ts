import { AS_VISITOR } from './playground.ts'
import {
  addFrame,
  CHAIN_ID,
  callIn,
  expect,
  fetchIn,
  openAt,
  routeReady,
  stopServiceWorkers,
  test,
} from './service-worker.ts'

test.use(AS_VISITOR)

const MANUAL = '?clock=manual'

test('scripts of the origin call the node', async ({ page, host, context }) => {
  const playground = await openAt(page, host.url + MANUAL)
  await test.step('on the first visit any script of the origin can call the node, without a reload', async () => {
    expect(await callIn(page, 'eth_chainId')).toMatchObject(CHAIN_ID)
    expect(host.rpcRequests()).toBe(0)
  })

  await test.step('the address can set the meaning of latest: rpc?latest=preconfirmed reads the live block', async () => {
    const paid = `0x${'ab'.repeat(20)}`
    await callIn(page, 'eth_sendTransaction', [
      { from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', to: paid, value: '0x7' },
    ])
    await playground.tick()
    const balanceAt = (address: string) =>
      fetchIn(page, address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [paid, 'latest'] }),
      })
    expect(await balanceAt('rpc')).toMatchObject({ status: 200, body: { result: '0x0' } })
    expect(await balanceAt('rpc?latest=preconfirmed')).toMatchObject({ status: 200, body: { result: '0x7' } })
    expect(await balanceAt('rpc?latest=live')).toMatchObject({
      status: 400,
      body: expect.stringContaining('preconfirmed'),
    })
  })

  await test.step('the HTTP rules are the same as on the Node.js server', async () => {
    const json = { 'Content-Type': 'application/json' }
    const post = (body: string, headers: Record<string, string> = json) =>
      fetchIn(page, 'rpc', { method: 'POST', headers, body })

    expect(await post('{"jsonrpc":"2.0","method":"eth_chainId"}')).toMatchObject({ status: 200, body: '' })
    expect(await post('no JSON')).toMatchObject({ status: 200, body: { id: null, error: { code: -32700 } } })
    expect(await callIn(page, 'eth_subscribe', ['newHeads'])).toMatchObject({
      status: 200,
      body: { error: { code: -32601, message: 'notifications not supported' } },
    })
    const batch = await post('[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"x"}]')
    expect(batch).toMatchObject({
      status: 200,
      body: [
        { id: 1, result: '0x7a69' },
        { id: 2, error: { code: -32601 } },
      ],
    })
    expect(batch.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })

    expect(await post('{}', { 'Content-Type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await fetchIn(page, 'rpc', { method: 'PUT', headers: json, body: '{}' })).toMatchObject({
      status: 405,
      headers: { allow: 'POST, GET, HEAD, OPTIONS' },
    })
    expect(await fetchIn(page, 'rpc')).toMatchObject({ status: 200, body: { name: 'Blinknet' } })
    expect(await fetchIn(page, 'rpc?chain=Not/a/name', { method: 'POST', headers: json, body: '{}' })).toMatchObject({
      status: 400,
    })
    const large = await page.evaluate(async (headers) => {
      const body = new Blob([' '.repeat(5 * 1024 * 1024 + 1)])
      return (await fetch('rpc', { method: 'POST', headers, body })).status
    }, json)
    expect(large).toBe(413)
  })

  await test.step('after the browser has stopped the service worker, too', async () => {
    for (const _ of [1, 2]) {
      await stopServiceWorkers(page)
      expect(await callIn(page, 'eth_chainId')).toMatchObject(CHAIN_ID)
    }
    expect(host.rpcRequests()).toBe(0)
  })

  await test.step('after a hard reload, too', async () => {
    const session = await context.newCDPSession(page)
    await session.send('Page.reload', { ignoreCache: true })
    await playground.ready()
    await routeReady(page)
    expect(await callIn(page, 'eth_chainId')).toMatchObject(CHAIN_ID)
    expect(host.rpcRequests()).toBe(0)
  })
})

test('with several tabs every script reaches the same chain, also after the tab that ran it is closed', async ({
  page,
  host,
  context,
}) => {
  const first = await openAt(page, host.url + MANUAL)
  await first.tick(10)
  const second = await context.newPage()
  await openAt(second, host.url + MANUAL)
  const dapp = await context.newPage()
  await dapp.goto(`${host.url}dapp.html`)
  for (const tab of [page, second, dapp]) {
    expect(await callIn(tab, 'eth_blockNumber')).toMatchObject({ status: 200, body: { result: '0x1' } })
  }
  await page.close()
  for (const tab of [second, dapp]) expect(await callIn(tab, 'eth_chainId')).toMatchObject(CHAIN_ID)
})

test('a frame of the same origin and a dedicated worker can call the node', async ({ page, host, context }) => {
  await openAt(page, host.url + MANUAL)
  const dapp = await context.newPage()
  await dapp.goto(`${host.url}dapp.html`)
  const frame = await addFrame(dapp, 'inner')
  expect(await callIn(frame, 'eth_chainId')).toMatchObject(CHAIN_ID)

  const answer = await dapp.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        const worker = new Worker('dapp-worker.js')
        worker.onmessage = ({ data }) => resolve(data)
        const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
        worker.postMessage(['rpc', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }])
      }),
  )
  expect(answer).toEqual(CHAIN_ID.body)
  expect(host.rpcRequests()).toBe(0)
})

test('while no tab runs the chain the answer is 503, with an error that says what to do', async ({ page, host }) => {
  await openAt(page, host.url + MANUAL)
  await page.goto(`${host.url}dapp.html`)
  expect(await callIn(page, 'eth_chainId')).toMatchObject({
    status: 503,
    body: { jsonrpc: '2.0', id: 1, error: { code: 4900, message: expect.stringContaining('open Blinknet') } },
  })
  expect(await fetchIn(page, 'rpc/events?kind=newHeads')).toMatchObject({ status: 503 })
})

test('without a service worker the page works, and says why there is no RPC endpoint', async ({ page }) => {
  const { startStaticHost } = await import('./static-host.ts')
  const host = await startStaticHost({ folder: 'dist/page', without: ['sw.js'] })
  await page.goto(host.url)
  await expect(page.getByRole('contentinfo', { name: 'RPC endpoint' })).toContainText(
    'Scripts of this site have no RPC endpoint. The browser refused the service worker',
  )
  await expect(page.getByRole('region', { name: 'Pending block' })).toBeVisible()
  await host.close()
})
