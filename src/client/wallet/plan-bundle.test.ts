import { expect, test, vi } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { BATCH_DELEGATE } from '#rpc-types/batch-delegate.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { createDappWallet } from './wallet-provider.ts'
import { createWalletRequests, type WalletAnswer, type WalletRequest } from './wallet-requests.ts'

const ALICE = `0x${'a1'.repeat(20)}` as const
const BOB = `0x${'b0'.repeat(20)}` as const
const CALLS = [{ to: BOB, value: '0x1' }, { to: BOB }]
const DELEGATION = `0xef0100${BATCH_DELEGATE.slice(2)}`

/** A dapp that is connected to a chain which says that, and a person who answers each question as told. */
async function connected(capabilities: unknown, code = '0x') {
  const sent: unknown[] = []
  const endpoint = new FakeEndpoint({
    eth_accounts: () => [ALICE],
    wallet_getCapabilities: () => capabilities,
    eth_getCode: () => code,
    wallet_sendCalls: (...params: readonly unknown[]) => {
      sent.push(params)
      return { id: '0x1' }
    },
    personal_sign: () => '0xsignature',
  })
  const connection = endpoint.connect((body) => handle.receive(body))
  const handle = createProvider((body) => connection.handle(body))
  const requests = createWalletRequests()
  const { provider, share } = createDappWallet(handle.provider, requests, 'a test')
  share([ALICE])
  const asked: WalletRequest[] = []
  const request = (method: string, ...params: readonly unknown[]) => provider.request({ method, params })
  /** Sends a bundle while the person answers; all questions approved but those of that kind. */
  async function send(fields: object, refused?: WalletRequest['kind'], remember = false) {
    const stop = requests.pending.subscribe(() => {
      const [first] = requests.pending.get()
      if (!first) return
      asked.push(first.request)
      const answer: WalletAnswer =
        first.request.kind === refused ? { approved: false } : { approved: true, accounts: [], remember }
      queueMicrotask(() => requests.answer(first.id, answer))
    })
    const bundle = { version: '2.0.0', chainId: '0x7a69', atomicRequired: true, calls: CALLS, ...fields }
    const result = await request('wallet_sendCalls', bundle).catch((error: unknown) => error)
    stop()
    return result
  }
  const reached = () => endpoint.received.map((body) => (JSON.parse(body) as JsonRpcRequest).method)
  const params = () => (JSON.parse(endpoint.received.at(-1) ?? '{}') as JsonRpcRequest).params
  return { send, asked, reached, params, request, requests }
}

const atomic = (status: string) => ({ '0x7a69': { atomic: { status } } })
const transactions = { kind: 'transactions', account: ALICE, sent: true }

test('ready: the person is asked about the upgrade first, to the wallet’s own contract, and then about the calls', async () => {
  const { send, asked, params } = await connected(atomic('ready'))
  expect(await send({})).toEqual({ id: '0x1' })
  expect(asked).toMatchObject([
    { kind: 'upgrade', account: ALICE, delegate: BATCH_DELEGATE },
    { ...transactions, together: true },
  ])
  expect(params()).toMatchObject([{ from: ALICE, atomicRequired: true, upgrade: true }])
})

test('ready: who refuses the upgrade is told 5750, who refuses the calls 4001, and nothing reaches the chain', async () => {
  const first = await connected(atomic('ready'))
  expect(await first.send({}, 'upgrade')).toMatchObject({ code: 5750 })
  expect(first.asked).toHaveLength(1)
  const second = await connected(atomic('ready'))
  expect(await second.send({}, 'transactions')).toMatchObject({ code: 4001 })
  for (const { reached } of [first, second]) expect(reached()).not.toContain('wallet_sendCalls')
})

test('ready: a bundle that need not be atomic asks for no upgrade, and may not have one', async () => {
  const { send, asked, params } = await connected(atomic('ready'))
  await send({ atomicRequired: false })
  expect(asked).toEqual([expect.objectContaining(transactions)])
  expect(asked[0]).not.toHaveProperty('together')
  expect(params()).toMatchObject([{ upgrade: false }])
})

test('who does not want to be asked again is asked about the upgrade all the same', async () => {
  const { send, asked } = await connected(atomic('ready'))
  await send({ atomicRequired: false }, undefined, true)
  await send({})
  expect(asked.map(({ kind }) => kind)).toEqual(['transactions', 'upgrade'])
})

test('supported: nobody is asked about an upgrade; an account that is delegated gets no other delegation', async () => {
  const fresh = await connected(atomic('supported'))
  await fresh.send({ atomicRequired: false })
  expect(fresh.asked).toMatchObject([{ ...transactions, together: true }])
  expect(fresh.params()).toMatchObject([{ upgrade: true }])
  const delegated = await connected(atomic('supported'), DELEGATION)
  // What a dapp says of its own upgrade does not count.
  await delegated.send({ upgrade: true })
  expect(delegated.params()).toMatchObject([{ upgrade: false }])
})

test('supported: calls of which one creates a contract are shown as what they are, a sequence', async () => {
  const { send, asked } = await connected(atomic('supported'), DELEGATION)
  await send({ atomicRequired: false, calls: [{ data: '0x00' }, { to: BOB }] })
  expect(asked[0]).not.toHaveProperty('together')
})

test.each([
  ['unsupported', atomic('unsupported')],
  ['nothing', {}],
  ['nonsense', null],
  ['other nonsense', { '0x7a69': [] }],
])('a chain that says %s: what must be atomic is refused with 5760 before anybody is asked', async (_what, said) => {
  const { send, asked, params } = await connected(said)
  expect(await send({})).toMatchObject({ code: 5760 })
  expect(asked).toEqual([])
  expect(await send({ atomicRequired: false })).toEqual({ id: '0x1' })
  expect(params()).toMatchObject([{ upgrade: false }])
})

test('an account that is not shared is refused before the chain is asked about it', async () => {
  const { send, reached } = await connected(atomic('ready'))
  expect(await send({ from: BOB })).toMatchObject({ code: 4100 })
  expect(reached()).toEqual([])
})

test('a dapp that goes while the question is open has upgraded nothing', async () => {
  const { request, requests, reached } = await connected(atomic('ready'))
  const sending = request('wallet_sendCalls', { atomicRequired: true, calls: CALLS }).catch((error: unknown) => error)
  const [open] = await vi.waitFor(() => {
    const all = requests.pending.get()
    return all.length > 0 ? all : expect.fail('nobody is asked')
  })
  requests.answer(open?.id ?? 0, { approved: false })
  expect(await sending).toMatchObject({ code: 5750 })
  expect(reached()).not.toContain('wallet_sendCalls')
})
