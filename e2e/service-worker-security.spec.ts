import type { Page } from '@playwright/test'
import { AS_VISITOR } from './playground.ts'
import { addFrame, CHAIN_ID, callIn, expect, openAt, test } from './service-worker.ts'
import { startStaticHost } from './static-host.ts'

test.use(AS_VISITOR)

/** A JSON-RPC call in the form `name=value` that a form can send as plain text. */
const FORM_NAME = '{"jsonrpc":"2.0","id":1,"method":"devnet_tick","params":[10],"ignored":"'
const FORM_VALUE = '"}'

const height = async (page: Page) => (await callIn(page, 'eth_blockNumber')).body

test('neither a navigation nor a sandboxed frame reaches the node', async ({ page, host, context }) => {
  await openAt(page, `${host.url}?clock=manual`)
  await test.step('a navigation does not reach the node', async () => {
    const other = await context.newPage()
    for (const address of ['rpc', 'rpc/events?kind=newHeads']) {
      const response = await other.goto(host.url + address)
      expect(response?.status()).toBe(403)
      expect(await response?.text()).toContain('only scripts of this origin')
    }
    expect(host.rpcRequests()).toBe(0)
  })

  await test.step('a sandboxed frame with an opaque origin does not reach the node', async () => {
    const dapp = await context.newPage()
    await dapp.goto(`${host.url}dapp.html`)
    expect(await callIn(dapp, 'eth_chainId')).toMatchObject(CHAIN_ID)
    const sandboxed = await addFrame(dapp, 'sandboxed')
    expect(await sandboxed.evaluate(() => self.origin)).toBe('null')
    await expect(callIn(sandboxed, 'eth_chainId')).rejects.toThrow('Failed to fetch')
  })
})

test('a page of another site reaches the node neither by a form, nor by fetch, nor in a frame', async ({
  page,
  context,
}) => {
  // Without these headers anybody can show the host's pages in a frame.
  const host = await startStaticHost({ folder: 'dist/page', without: ['_headers'] })
  await openAt(page, `${host.url}?clock=manual`)
  const before = await height(page)
  const elsewhere = await startStaticHost({ folder: 'e2e' })
  const evil = await context.newPage()
  await evil.goto(elsewhere.url.replace('127.0.0.1', 'localhost') + 'dapp.html')

  const outcome = await evil.evaluate(async (url) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = '{"jsonrpc":"2.0","id":1,"method":"devnet_tick","params":[10]}'
    const call = (init: RequestInit) => fetch(url, { method: 'POST', body, ...init })
    await call({ mode: 'no-cors' })
    return call({ headers }).then(
      () => 'answered',
      () => 'refused',
    )
  }, `${host.url}rpc`)
  expect(outcome).toBe('refused')

  const framed = evil.waitForEvent('framenavigated', (frame) => frame.url() === `${host.url}rpc`)
  await evil.evaluate((url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
  }, `${host.url}rpc`)
  // Browsers do not use the service worker for frames under another site; if one did, it would refuse.
  expect(await (await framed).locator('body').innerText()).toMatch(/^not found|^only scripts of this origin/)

  const posted = evil.waitForURL(`${host.url}rpc`)
  await evil.evaluate(
    ([url, name, value]) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', enctype: 'text/plain', action: url })
      const input = document.createElement('input')
      Object.assign(input, { name, value })
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    [`${host.url}rpc`, FORM_NAME, FORM_VALUE] as const,
  )
  await posted
  await expect(evil.locator('body')).toContainText('only scripts of this origin')

  expect(await height(page)).toEqual(before)
  await elsewhere.close()
  await host.close()
})
