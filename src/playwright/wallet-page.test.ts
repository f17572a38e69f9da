import { afterEach, expect, test, vi } from 'vitest'
import { installWallet, type PageAnswer, type PageCall } from './wallet-page.ts'

afterEach(() => vi.unstubAllGlobals())

interface InstalledProvider {
  on(name: string, listener: (payload: unknown) => void): void
}

test('a listener of the dapp that throws takes no event from others, and its error is the page’s', async () => {
  const answers: PageAnswer[] = [
    { events: [{ name: 'chainChanged', payload: '0x1' }], next: 1 },
    { events: [{ name: 'chainChanged', payload: '0x2' }], next: 2 },
  ]
  const call = async ({ kind }: PageCall): Promise<PageAnswer> =>
    kind === 'request' ? { result: null } : (answers.shift() ?? new Promise(() => {}))
  const page: Record<string, unknown> = { call, addEventListener() {}, dispatchEvent() {} }
  const reported = vi.fn<(error: unknown) => void>()
  vi.stubGlobal('window', page)
  vi.stubGlobal('reportError', reported)
  installWallet({ binding: 'call', info: { uuid: '', name: '', icon: '', rdns: '' } })
  const provider = page['ethereum'] as InstalledProvider
  const heard: unknown[] = []
  const broken = new Error('no coffee')
  provider.on('chainChanged', () => {
    throw broken
  })
  provider.on('chainChanged', (payload) => heard.push(payload))
  await vi.waitFor(() => expect(heard).toEqual(['0x1', '0x2']))
  expect(reported.mock.calls).toEqual([[broken], [broken]])
})
