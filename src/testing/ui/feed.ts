import { type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcHeader, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { PartialBlockBase, PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { EMPTY_FEED, type FeedState } from '#ui/feed/feed-state.ts'
import { type FeedEvent, reduceFeed } from '#ui/feed/reducer.ts'

const ALICE: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

export function transaction(id: number, nonce = id): RpcTransaction {
  return {
    type: '0x2',
    hash: toWord(id),
    from: ALICE,
    to: ALICE,
    nonce: toQuantity(nonce),
    gas: '0x5208',
    gasPrice: '0x1',
    value: '0x10',
    input: '0x',
    v: '0x0',
    yParity: '0x0',
    r: '0x1',
    s: '0x1',
    chainId: '0x7a69',
    accessList: [],
    maxFeePerGas: '0x1',
    maxPriorityFeePerGas: '0x1',
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
  }
}

export function receipt(id: number, reverted = false): RpcReceipt {
  return { transactionHash: toWord(id), status: reverted ? '0x0' : '0x1' } as RpcReceipt
}

export function partial(
  number: number,
  index: number,
  ids: readonly number[] = [],
  { first = index === 0, count = ids.length, reverted = [] as readonly number[] } = {},
): FeedEvent {
  const message: PartialBlockDiff = {
    index,
    payloadId: toQuantity(number),
    ...(first && { base: { gasLimit: '0x1000', baseFeePerGas: '0x7' } as unknown as PartialBlockBase }),
    diff: {
      blockHash: toWord(number * 100 + index),
      gasUsed: toQuantity(count * 21_000),
      transactions: ids.map((id) => transaction(id)),
      receipts: ids.map((id) => receipt(id, reverted.includes(id))),
    } as unknown as PartialBlockDiff['diff'],
    metadata: { blockNumber: toQuantity(number), transactionCount: count, cutAtMs: 0, tookMs: 0 },
  }
  return { kind: 'partial', partial: message, arrivedAtMs: 1_000 + index }
}

export function head(number: number): FeedEvent {
  const header = { number: toQuantity(number), hash: toWord(number * 100 + 9), timestamp: '0x5' }
  return { kind: 'head', header: { ...header, gasUsed: '0x5208', gasLimit: '0x1000' } as unknown as RpcHeader }
}

export const pooled = (id: number, nonce = id): FeedEvent => ({ kind: 'pooled', tx: transaction(id, nonce) })
export const run = (...events: readonly FeedEvent[]): FeedState => reduceFeed(EMPTY_FEED, events)
export const statusOf = (state: FeedState, id: number) => state.transactions.get(toWord(id))?.status
