import { afterEach, expect, test, vi } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { FakeWindow } from '#testing/client/fake-window.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import type { AnnouncedWallet } from './eip6963.ts'
import { connectWallet } from './wallet-client.ts'
import { hostWallet } from './wallet-host.ts'
import { WALLET_PROTOCOL } from './wallet-port.ts'
import { createWalletRequests } from './wallet-requests.ts'

const ORIGIN = 'https://blinknet.example'
const ALICE = `0x${'a1'.repeat(20)}` as const
const HELLO = { kind: 'blinknet:wallet', protocol: WALLET_PROTOCOL }

const pages: FakeWindow[] = []

function openPage(origin = ORIGIN) {
  const endpoint = new FakeEndpoint({
    eth_chainId: () => '0x7a69',
    eth_accounts: () => [ALICE],
    eth_call: () => ({ error: { code: 3, message: 'execution reverted', data: '0xdead' } }),
  })
  const connection = endpoint.connect((body) => handle.receive(body))
  const handle = createProvider((body) => connection.handle(body))
  const requests = createWalletRequests()
  const page = new FakeWindow(origin)
  page.run((own) => hostWallet(own, handle.provider, requests))
  pages.push(page)
  return { page, requests, handle }
}

function openFrame(page: FakeWindow, origin = ORIGIN) {
  const frame = new FakeWindow(origin, '/dapp.html')
  frame.parent = page
  const wallets: AnnouncedWallet[] = []
  frame.addEventListener('eip6963:announceProvider', (event) => {
    wallets.push((event as CustomEvent<AnnouncedWallet>).detail)
  })
  return { frame, wallets }
}

afterEach(() => {
  // Open ports would keep the test process alive.
  for (const page of pages.splice(0)) page.dispatchEvent(new Event('pagehide'))
})

test('scripts of the page find the wallet by EIP-6963 and, if no other wallet is there, as window.ethereum', async () => {
  const { page } = openPage()
  const wallets: AnnouncedWallet[] = []
  page.addEventListener('eip6963:announceProvider', (event) => {
    wallets.push((event as CustomEvent<AnnouncedWallet>).detail)
  })
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(wallets.map(({ info }) => info.rdns)).toEqual(['dev.blinknet'])
  expect(page.ethereum).toBe(wallets[0]?.provider)
})

test('another wallet keeps window.ethereum', () => {
  const other = { isOther: true }
  const page = new FakeWindow(ORIGIN)
  page.ethereum = other
  const { provider } = createProvider(async () => undefined)
  page.run((own) => hostWallet(own, provider, createWalletRequests()))
  expect(page.ethereum).toBe(other)
})

test('a dapp in a frame of the same origin gets its own wallet, under its own name', async () => {
  const { page, requests } = openPage()
  const { frame, wallets } = openFrame(page)
  frame.run(connectWallet)
  await vi.waitFor(() => expect(wallets).toHaveLength(1))
  const provider = wallets[0]?.provider
  expect(await provider?.request({ method: 'eth_accounts' })).toEqual([])
  const accounts = provider?.request({ method: 'eth_requestAccounts' })
  const [pending] = await vi.waitFor(() => {
    expect(requests.pending.get()).toHaveLength(1)
    return requests.pending.get()
  })
  expect(pending).toMatchObject({ dapp: '/dapp.html', request: { kind: 'connect', accounts: [ALICE] } })
  requests.answer(pending?.id ?? 0, { approved: true, accounts: [ALICE], remember: false })
  expect(await accounts).toEqual([ALICE])
  const failure = provider?.request({ method: 'eth_call', params: [] })
  await expect(failure).rejects.toMatchObject({ code: 3, message: 'execution reverted', data: '0xdead' })
})

test('events reach the frame', async () => {
  const { page, handle } = openPage()
  const { frame, wallets } = openFrame(page)
  frame.run(connectWallet)
  await vi.waitFor(() => expect(wallets).toHaveLength(1))
  const provider = frame.ethereum as { on(event: string, listener: (payload: unknown) => void): void }
  const connects: unknown[] = []
  provider.on('connect', (info) => connects.push(info))
  await handle.announceConnect()
  await vi.waitFor(() => expect(connects).toEqual([{ chainId: '0x7a69' }]))
})

test('a hello from another origin is ignored, and none is sent to another origin', async () => {
  const { page } = openPage()
  const { frame, wallets } = openFrame(page, 'https://elsewhere.example')
  frame.run(connectWallet)
  // The browser stops the frame's own message; the page stops one that is made to arrive.
  const { port1, port2 } = new MessageChannel()
  const answered = vi.fn<() => void>()
  port1.onmessage = answered
  frame.run(() => page.postMessage(HELLO, ORIGIN, [port2]))
  const mine = new MessageChannel()
  const ready = new Promise((resolve) => {
    mine.port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data)
  })
  new FakeWindow(ORIGIN).run(() => page.postMessage(HELLO, ORIGIN, [mine.port2]))
  expect(await ready).toEqual({ kind: 'ready' })
  expect(answered).not.toHaveBeenCalled()
  expect(wallets).toEqual([])
  port1.close()
})

test('sandboxed documents, whose origin is “null”, count neither as dapps nor as pages', async () => {
  const { page } = openPage('null')
  const { frame, wallets } = openFrame(page, 'null')
  const heard = vi.fn<() => void>()
  page.addEventListener('message', heard)
  frame.run(connectWallet)
  await Promise.resolve()
  expect(heard).not.toHaveBeenCalled()
  expect(wallets).toEqual([])
})

test('a message that is not a hello is ignored', async () => {
  const { page } = openPage()
  const { port1, port2 } = new MessageChannel()
  const answered = vi.fn<() => void>()
  port1.onmessage = answered
  const stranger = new FakeWindow(ORIGIN)
  for (const data of [undefined, 'hello', { kind: 'blinknet:wallet', protocol: 99 }, { kind: 'other' }]) {
    stranger.run(() => page.postMessage(data, ORIGIN, [port2]))
  }
  const { frame, wallets } = openFrame(page)
  frame.run(connectWallet)
  await vi.waitFor(() => expect(wallets).toHaveLength(1))
  expect(answered).not.toHaveBeenCalled()
  port1.close()
})

test('when the page goes away, calls end with 4900 and the frame is told', async () => {
  const { page } = openPage()
  const { frame, wallets } = openFrame(page)
  frame.run(connectWallet)
  await vi.waitFor(() => expect(wallets).toHaveLength(1))
  const provider = frame.ethereum as AnnouncedWallet['provider'] & {
    on(event: string, listener: (payload: unknown) => void): void
  }
  const disconnects: unknown[] = []
  provider.on('disconnect', (error) => disconnects.push(error))
  const pending = provider.request({ method: 'eth_requestAccounts' })
  page.dispatchEvent(new Event('pagehide'))
  await expect(pending).rejects.toMatchObject({ code: 4900 })
  expect(disconnects).toMatchObject([{ code: 4900 }])
})
