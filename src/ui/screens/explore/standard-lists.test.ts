import { expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import type { ListPlace } from './list-place.ts'
import type { Page } from './list-state.ts'
import { placeOfLog, standardListsOf } from './standard-lists.ts'

const HEAD = 2_345
const ALICE = `0x${'a1'.repeat(20)}` as const
const BOB = `0x${'b0'.repeat(20)}` as const

/** Every tenth block has two transactions, the first of Alice, which fails, and a log of each; so has the pending one. */
const countIn = (number: number) => (number % 10 === 0 || number === HEAD + 1 ? 2 : 0)
const hashOf = (number: number, index: number): Hash => toWord(number * 10 + index)

function transactionsOf(number: number) {
  return Array.from({ length: countIn(number) }, (_, index) => ({
    hash: hashOf(number, index),
    from: index === 0 ? ALICE : BOB,
    to: index === 0 ? BOB : null,
    value: '0x1',
    input: index === 0 ? '0xa9059cbb00' : '0x6000',
    transactionIndex: toQuantity(index),
  }))
}

function blockOf(number: number, full: unknown) {
  const transactions = transactionsOf(number)
  return {
    number: toQuantity(number),
    hash: toWord(number),
    timestamp: toQuantity(2 * number),
    gasUsed: '0x0',
    gasLimit: '0x1',
    baseFeePerGas: '0x1',
    transactions: full ? transactions : transactions.map(({ hash }) => hash),
  }
}

function logsOf(number: number) {
  return transactionsOf(number).map(({ from, hash }, index) => ({
    address: from,
    topics: [toWord(7), toWord(index)],
    data: toWord(number),
    blockNumber: toQuantity(number),
    logIndex: toQuantity(index),
    transactionHash: hash,
  }))
}

/** A chain with the standard methods alone. */
function listsOfOther() {
  const asked: string[] = []
  /** The newest block of each call for logs. */
  const tags: string[] = []
  const numberOf = (tag: unknown) => (tag === 'pending' ? HEAD + 1 : Number(tag))
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_blockNumber: () => toQuantity(HEAD),
    eth_getBlockByNumber: ([tag, full]) =>
      tag !== 'pending' && Number(tag) > HEAD ? null : blockOf(numberOf(tag), full),
    eth_getBlockReceipts: ([tag]) =>
      transactionsOf(numberOf(tag)).map(({ hash, from }) => ({
        transactionHash: hash,
        status: from === ALICE ? '0x0' : '0x1',
        gasUsed: '0x5208',
      })),
    eth_getLogs([query]) {
      const { fromBlock, toBlock, address } = query as { fromBlock: string; toBlock: string; address?: string }
      tags.push(toBlock)
      const logs = []
      for (let number = Number(fromBlock); number <= numberOf(toBlock); number++) logs.push(...logsOf(number))
      return logs.filter((log) => address === undefined || log.address === address)
    },
  }
  const { provider } = createProvider((body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest
    asked.push(method)
    return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params ?? []) ?? null }))
  })
  return { lists: standardListsOf(provider, true), asked, tags }
}

async function all<Item>(fetchPage: (before: ListPlace | undefined) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = []
  let before: ListPlace | undefined
  for (;;) {
    const page = await fetchPage(before)
    items.push(...page.items)
    if (page.next === null) return items
    before = page.next
  }
}

const ALL_TRANSACTIONS = { from: undefined, to: undefined, method: undefined, state: undefined, range: undefined }
const ALL_LOGS = { address: undefined, topics: undefined, word: undefined, range: undefined }

/** Numbers of the blocks with transactions, newest first. */
const BUSY = [HEAD + 1, ...Array.from({ length: 235 }, (_, i) => 2_340 - 10 * i)]

test('the blocks of a chain without lists of its own are read header by header', async () => {
  const { lists, asked } = listsOfOther()
  const range = { from: 2_300, to: undefined }
  const blocks = await all((before) => lists.blocks({ hasTransactions: undefined, range }, before))
  expect(blocks.map(({ number }) => number)).toEqual(Array.from({ length: 47 }, (_, i) => HEAD + 1 - i))
  expect(new Set(asked)).toEqual(new Set(['eth_blockNumber', 'eth_getBlockByNumber']))
  const busy = await all((before) => lists.blocks({ hasTransactions: true, range }, before))
  expect(busy.map(({ number, count }) => [number, count])).toEqual(BUSY.slice(0, 6).map((number) => [number, 2]))
})

test('its transactions are all there, newest first, with their outcomes, and filtered', async () => {
  const { lists } = listsOfOther()
  const list = async (wishes: Partial<typeof ALL_TRANSACTIONS> | object) =>
    (await all((before) => lists.transactions({ ...ALL_TRANSACTIONS, ...wishes }, before))).map(({ hash }) => hash)
  expect(await list({})).toEqual(BUSY.flatMap((number) => [hashOf(number, 1), hashOf(number, 0)]))
  const range = { from: 2_320, to: 2_330 }
  expect(await list({ range })).toEqual([2_330, 2_320].flatMap((number) => [hashOf(number, 1), hashOf(number, 0)]))
  const firsts = [hashOf(2_330, 0), hashOf(2_320, 0)]
  expect(await list({ range, from: ALICE })).toEqual(firsts)
  expect(await list({ range, state: 'failed' })).toEqual(firsts)
  expect(await list({ range, method: { selectors: ['0xa9059cbb'] } })).toEqual(firsts)
  expect(await list({ range, method: { creates: true } })).toEqual([hashOf(2_330, 1), hashOf(2_320, 1)])
  expect(await list({ state: 'preconfirmed' })).toEqual([hashOf(HEAD + 1, 1), hashOf(HEAD + 1, 0)])
  expect((await list({ state: 'sealed' })).length).toBe(2 * BUSY.length - 2)
})

test('a list that begins within a block has what stands before that place', async () => {
  const { lists } = listsOfOther()
  const page = await lists.transactions(ALL_TRANSACTIONS, { block: 2_340, index: 1 })
  expect(page.items[0]).toMatchObject({ hash: hashOf(2_340, 0), outcome: 'reverted', gasUsed: 21_000n })
})

test('a place beyond the newest block, as in a link, is that of the newest block', async () => {
  const beyond = { block: 999_999_999_999_999, index: 3 }
  const { lists } = listsOfOther()
  const blocks = await lists.blocks({ hasTransactions: undefined, range: undefined }, beyond)
  expect(blocks.items[0]?.number).toBe(HEAD + 1)
  const { items } = await lists.transactions(ALL_TRANSACTIONS, beyond)
  expect(items[0]?.hash).toBe(hashOf(HEAD + 1, 1))
  expect((await lists.logs(ALL_LOGS, beyond)).items.map(placeOfLog)[0]).toEqual({ block: HEAD + 1, index: 1 })
})

test('the head is asked for once, not again with each older page', async () => {
  const { lists, asked } = listsOfOther()
  await all((before) => lists.logs(ALL_LOGS, before))
  expect(asked.filter((method) => method === 'eth_blockNumber')).toHaveLength(1)
})

test('events of blocks up to one that is still to come are those up to the pending block', async () => {
  const { lists, tags } = listsOfOther()
  const range = { from: 2_340, to: 9_999 }
  const { items } = await lists.logs({ ...ALL_LOGS, range }, undefined)
  expect(items.map(placeOfLog)[0]).toEqual({ block: HEAD + 1, index: 1 })
  // Endpoints refuse numbers beyond their newest sealed block.
  expect(tags).toEqual(['pending'])
})

test('its events are asked for by a thousand blocks, and an argument is looked for in topics and data', async () => {
  const { lists, asked } = listsOfOther()
  const list = (wishes: object) => all((before) => lists.logs({ ...ALL_LOGS, ...wishes }, before))
  const logs = await list({})
  expect(logs.map(placeOfLog)).toEqual(
    BUSY.flatMap((block) => [
      { block, index: 1 },
      { block, index: 0 },
    ]),
  )
  expect(asked.filter((method) => method === 'eth_getLogs')).toHaveLength(3)
  expect((await list({ word: toWord(2_340) })).map(placeOfLog)).toEqual([
    { block: 2_340, index: 1 },
    { block: 2_340, index: 0 },
  ])
  expect((await list({ word: toWord(1), address: BOB })).length).toBe(BUSY.length)
  expect(await list({ word: toWord(7) })).toEqual([])
})
