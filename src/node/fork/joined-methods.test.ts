import { beforeAll, describe, expect, test } from 'vitest'
import { type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import type { RpcOtsPage } from '#rpc-types/methods/ots.ts'
import { type ChangeAnswer, forkOf, remoteOf } from '#testing/node/fork-of.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { ForkError } from './fork-error.ts'
import { openFork } from './open-fork.ts'

/** Returns one byte of code. */
const CREATION = '0x600160005360016000f3'
const sender = devAccount(0).address.toLowerCase() as Hex
const FORKED_AT = 3

/** A chain that has gone on: three blocks with a transfer each, of which the first creates a contract, and three more. */
let original: TestNode
let fork: TestNode
/** A node with every transaction on one chain, for comparison. */
let whole: TestNode
let created: Hex
let beyond: Hash

async function mine(node: TestNode, nonce: number, to?: Hex): Promise<Hash> {
  const hash = await node.request('eth_sendRawTransaction', [await signTransfer(0, nonce, to ? { to } : {})])
  await node.request('devnet_seal')
  return hash
}

async function begin(): Promise<TestNode> {
  const node = await createTestNode({ mode: 'manual' })
  await node.request('eth_sendTransaction', [{ from: devAccount(0).address, input: CREATION }])
  await node.request('devnet_seal')
  for (const nonce of [1, 2]) await mine(node, nonce)
  return node
}

beforeAll(async () => {
  original = await begin()
  whole = await begin()
  fork = (await forkOf(original)).node
  // The other chain goes on with other transactions than the fork.
  beyond = await mine(original, 3, `0x${'77'.repeat(20)}`)
  await mine(original, 4, `0x${'77'.repeat(20)}`)
  for (const node of [fork, whole]) for (const nonce of [3, 4, 5]) await mine(node, nonce)
  const [tx] = (await whole.request('eth_getBlockByNumber', ['0x1', true]))?.transactions ?? []
  const receipt = await whole.request('eth_getTransactionReceipt', [(tx as { hash: Hash }).hash])
  created = receipt?.contractAddress as Hex
})

const hashesOf = ({ txs }: RpcOtsPage) => txs.map(({ hash }) => hash)
const same = async (
  method: 'trace_filter' | 'ots_getContractCreator' | 'ots_hasCode',
  ...params: readonly unknown[]
) => {
  const found = await fork.requestLoosely(method, params)
  expect(found).toEqual(await whole.requestLoosely(method, params))
  return found
}

describe('trace_filter joins the blocks before and after the fork', () => {
  const filters: readonly (readonly [filter: object, frames: number])[] = [
    [{}, 6],
    [{ fromBlock: '0x2', toBlock: '0x5' }, 4],
    [{ fromBlock: '0x1', toBlock: '0x2' }, 2],
    [{ fromBlock: '0x5' }, 2],
    [{ after: 1, count: 3 }, 3],
    [{ after: '0x2', count: '0x3' }, 3],
    [{ count: 2 }, 2],
    [{ after: 5, count: 9 }, 1],
    [{ after: 9 }, 0],
    [{ fromAddress: [sender], fromBlock: '0x3', toBlock: 'latest' }, 4],
    [{ toAddress: [sender] }, 0],
  ]
  test.each(filters)('%j', async (filter, frames) => {
    expect(await fork.request('trace_filter', [filter])).toHaveLength(frames)
    await same('trace_filter', filter)
  })
})

describe('Otterscan’s methods join the blocks before and after the fork', () => {
  test.each([
    [0, 2],
    [0, 3],
    [0, 4],
    [0, 25],
    [5, 2],
    [4, 25],
    [2, 25],
  ])('a search before block %i, by %i', async (before, size) => {
    const params = [sender, before, size]
    const found = await fork.request('ots_searchTransactionsBefore', params)
    const wanted = await whole.request('ots_searchTransactionsBefore', params)
    expect(hashesOf(found)).toEqual(hashesOf(wanted))
    expect(found.receipts).toHaveLength(found.txs.length)
    expect([found.firstPage, found.lastPage]).toEqual([wanted.firstPage, wanted.lastPage])
  })

  test.each([
    [0, 2],
    [0, 3],
    [0, 4],
    [0, 25],
    [2, 1],
    [2, 2],
    [3, 25],
    [5, 25],
  ])('a search after block %i, by %i', async (after, size) => {
    const params = [sender, after, size]
    const found = await fork.request('ots_searchTransactionsAfter', params)
    const wanted = await whole.request('ots_searchTransactionsAfter', params)
    expect(hashesOf(found)).toEqual(hashesOf(wanted))
    expect(hashesOf(found)).not.toContain(beyond)
    expect([found.firstPage, found.lastPage]).toEqual([wanted.firstPage, wanted.lastPage])
  })

  test('a transaction by its sender and nonce, but not one that the other chain has sealed since', async () => {
    for (const nonce of [0, 2, 3, 5]) {
      const found = await fork.request('ots_getTransactionBySenderAndNonce', [sender, nonce])
      expect(found).toBe(await whole.request('ots_getTransactionBySenderAndNonce', [sender, nonce]))
    }
    const clock = new FakeClock()
    const { remote } = remoteOf(original)
    const opened = await openFork({ remote, clock, blockNumber: FORKED_AT }, [])
    const young = await createTestNode({ mode: 'manual' }, { clock, fork: opened })
    expect(await young.request('ots_getTransactionBySenderAndNonce', [sender, 3])).toBeNull()
    expect(await original.request('ots_getTransactionBySenderAndNonce', [sender, 3])).toBe(beyond)
  })

  test('blocks, their transactions, creators, and traces of transactions', async () => {
    expect(await same('ots_getContractCreator', created)).toMatchObject({ creator: sender })
    expect(await same('ots_getContractCreator', `0x${'55'.repeat(20)}`)).toBeNull()
    for (const block of ['0x0', '0x1', '0x2', 'latest']) await same('ots_hasCode', created, block)
    for (const number of [1, FORKED_AT]) {
      const ref = toQuantity(number)
      const { hash, transactions } = (await original.request('eth_getBlockByNumber', [ref, false])) ?? {}
      const tx = transactions?.[0] as Hash
      for (const [method, ...params] of [
        ['ots_getBlockDetails', ref],
        ['ots_getBlockDetails', number],
        ['ots_getBlockDetailsByHash', hash],
        ['ots_getBlockTransactions', ref, 0, 25],
        ['ots_traceTransaction', tx],
        ['ots_getInternalOperations', tx],
        ['ots_getTransactionError', tx],
      ] as const) {
        const found = await fork.requestLoosely(method, params)
        expect(found, method).not.toBeNull()
        expect(found, method).toEqual(await original.requestLoosely(method, params))
      }
    }
  })

  test('an endpoint that has none of them is named in the error, and what needs none of it is answered', async () => {
    const without: ChangeAnswer = (method, _params, answer) => {
      if (!/^ots_|^trace_/.test(method)) return answer
      const message = `the method ${method} does not exist`
      const answered = { code: -32601, message, data: undefined }
      throw new ForkError(`remote.example answers ${method} with an error: ${message}`, { answered })
    }
    const { node } = await forkOf(original, without)
    const forkedAt = Number(await original.request('eth_blockNumber'))
    await mine(node, 5)
    for (const [method, ...params] of [
      ['trace_filter', {}],
      ['ots_searchTransactionsBefore', sender, 0, 25],
      ['ots_searchTransactionsAfter', sender, 0, 25],
      ['ots_getContractCreator', created],
    ] as const) {
      await expect(node.requestLoosely(method, params), method).rejects.toThrow(
        `remote.example answers ${method} with an error: the method ${method} does not exist`,
      )
    }
    expect(await node.request('trace_filter', [{ fromBlock: toQuantity(forkedAt + 1) }])).toHaveLength(1)
    expect((await node.request('ots_searchTransactionsAfter', [sender, forkedAt, 25])).txs).toHaveLength(1)
    expect(await node.request('ots_hasCode', [created, '0x1'])).toBe(true)
    expect(await node.request('ots_getApiLevel')).toBe(8)
  })
})
