import { erc20Abi } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { awaitContract, useAwaitedContracts, useKnownContracts } from '#ui/decode/known-contracts.ts'
import { commitFeed } from '#ui/feed/store.ts'
import { settleAwaited } from './settle-awaited.ts'

const HASH = toWord(1)
const PLACE: Address = `0x${'cc'.repeat(20)}`
const TOKEN = { name: 'Token', abi: erc20Abi }
const TX = { hash: HASH, from: '0x0a', to: null, nonce: '0x0', value: '0x0', input: '0x' } as unknown as RpcTransaction

interface Answers {
  receipt: { status: string; contractAddress: Address | null } | null
  tx: RpcTransaction | null
}

function createChain(answers: Answers) {
  let asked = 0
  const { provider } = createProvider(async (body) => {
    const { id, method } = JSON.parse(body) as JsonRpcRequest
    asked++
    const result = method === 'eth_getTransactionReceipt' ? answers.receipt : answers.tx
    return JSON.stringify({ jsonrpc: '2.0', id, result })
  })
  return { provider, asked: () => asked }
}

/** The pending block, with these transactions in it. */
function showLive(transactions: readonly RpcTransaction[]): void {
  const block = { number: '0x1', hash: toWord(9), gasUsed: '0x0', gasLimit: '0x1', baseFeePerGas: '0x1', transactions }
  const receipts: readonly RpcReceipt[] = []
  commitFeed([
    { kind: 'polled', block: block as unknown as RpcBlock<RpcTransaction>, receipts, index: 0, arrivedAtMs: 0 },
  ])
}

const awaited = () => [...useAwaitedContracts.getState().keys()]
const known = () => [...useKnownContracts.getState().keys()]
let settled: Address[]
const onSettled = (address: Address) => settled.push(address)

beforeEach(() => {
  settled = []
  useKnownContracts.setState(new Map(), true)
  useAwaitedContracts.setState(new Map(), true)
  awaitContract(HASH, TOKEN)
  showLive([])
})
afterEach(() => commitFeed([{ kind: 'reset' }]))

test('a contract that is already deployed is known at once', async () => {
  const { provider } = createChain({ receipt: { status: '0x1', contractAddress: PLACE }, tx: TX })
  settleAwaited(provider, HASH, onSettled)
  await vi.waitFor(() => expect(settled).toEqual([PLACE]))
  expect(known()).toEqual([PLACE])
  expect(awaited()).toEqual([])
})

test('a waiting deployment is known once a block includes it, and is watched only once', async () => {
  const answers: Answers = { receipt: null, tx: TX }
  const { provider, asked } = createChain(answers)
  commitFeed([{ kind: 'pooled', tx: TX }])
  settleAwaited(provider, HASH, onSettled)
  settleAwaited(provider, HASH, onSettled)
  await vi.waitFor(() => expect(asked()).toBe(2))
  expect(awaited()).toEqual([HASH])
  answers.receipt = { status: '0x1', contractAddress: PLACE }
  showLive([TX])
  await vi.waitFor(() => expect(settled).toEqual([PLACE]))
  expect(asked()).toBe(4)
  expect(awaited()).toEqual([])
})

test.for<[name: string, answers: Answers]>([
  ['was reverted', { receipt: { status: '0x0', contractAddress: null }, tx: TX }],
  ['the chain does not know', { receipt: null, tx: null }],
])('a deployment that %s is no longer awaited, and not known', async ([, answers]) => {
  settleAwaited(createChain(answers).provider, HASH, onSettled)
  await vi.waitFor(() => expect(awaited()).toEqual([]))
  expect(known()).toEqual([])
  expect(settled).toEqual([])
})

test('a deployment stays awaited if its chain ends, as the same chain may come back', async () => {
  const { provider, asked } = createChain({ receipt: null, tx: TX })
  commitFeed([{ kind: 'pooled', tx: TX }])
  settleAwaited(provider, HASH, onSettled)
  await vi.waitFor(() => expect(asked()).toBe(2))
  commitFeed([{ kind: 'reset' }])
  await vi.waitFor(() => expect(asked()).toBe(4))
  expect<readonly Hash[]>(awaited()).toEqual([HASH])
})
