import { expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcBlock } from '#rpc-types/objects.ts'
import { fetchContents, fetchWaiting } from './fetch-contents.ts'

/** What a room answers a guest, as the node's part of a room does. */
const NOT_FOR_GUESTS = Symbol('not for guests')

/** A node that answers from a table and records its calls. */
function fakeNode(answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>>) {
  const asked: string[] = []
  const { provider } = createProvider((body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest
    asked.push(`${method} ${JSON.stringify(params ?? [])}`)
    const result = answers[method]?.(params ?? []) ?? null
    if (result === NOT_FOR_GUESTS) {
      const error = { code: ERROR_CODES['method-not-found'], message: 'guests of this room may not call it' }
      return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, error }))
    }
    return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  return { provider, asked }
}

const block = (number: number, count: number) =>
  ({
    number: toQuantity(number),
    hash: toWord(number),
    transactions: Array.from({ length: count }, (_, i) => toWord(number * 10_000 + i)),
  }) as unknown as RpcBlock<Hash>

/** The numbers of the fetched blocks. */
async function askedFor(counts: readonly number[]): Promise<readonly number[]> {
  const { provider, asked } = fakeNode({})
  const blocks = counts.map((count, i) => block(counts.length - i, count))
  expect(await fetchContents(provider, blocks)).toEqual([])
  return asked
    .filter((call) => call.startsWith('eth_getBlockByHash'))
    .map((call) => Number(/0x[0-9a-f]+/.exec(call)?.[0]))
}

test('the newest blocks are fetched until there are a hundred transactions', async () => {
  expect(await askedFor([60, 0, 60, 5])).toEqual([4, 2])
  expect(await askedFor([3, 4, 5])).toEqual([3, 2, 1])
})

test('a block that is too large to show is left out, but earlier blocks are not', async () => {
  expect(await askedFor([2_001, 7])).toEqual([1])
})

test('a block is fetched with its receipts by hash, and a reverted one is left out', async () => {
  const { provider } = fakeNode({
    eth_getBlockByHash: ([hash]) => (hash === toWord(2) ? { hash, transactions: [] } : null),
    eth_getBlockReceipts: ([selector]) => [selector],
  })
  expect(await fetchContents(provider, [block(2, 1), block(1, 1)])).toEqual([
    {
      kind: 'contents',
      contents: [
        { block: { hash: toWord(2), transactions: [] }, receipts: [{ blockHash: toWord(2) }], counts: undefined },
      ],
    },
  ])
})

test('waiting transactions are fetched unless there are too many to show', async () => {
  const content = {
    pending: { '0x0a': { '0': { hash: toWord(1) } } },
    queued: { '0x0b': { '7': { hash: toWord(2) } } },
  }
  const few = fakeNode({
    txpool_status: () => ({ pending: '0x1', queued: '0x1' }),
    txpool_content: () => content,
  })
  expect(await fetchWaiting(few.provider)).toEqual([
    { kind: 'pooled', tx: { hash: toWord(1) } },
    { kind: 'pooled', tx: { hash: toWord(2) } },
  ])
  const many = fakeNode({ txpool_status: () => ({ pending: '0x1000', queued: '0x0' }), txpool_content: () => content })
  expect(await fetchWaiting(many.provider)).toEqual([])
  expect(many.asked).toEqual(['txpool_status []'])
})

test('a guest of a room, who may not ask for the pool, does without it', async () => {
  const { provider } = fakeNode({
    txpool_status: () => ({ pending: '0x1', queued: '0x1' }),
    txpool_content: () => NOT_FOR_GUESTS,
  })
  expect(await fetchWaiting(provider)).toEqual([])
})
