import fc from 'fast-check'
import { expect } from 'vitest'
import type { Hash, Hex } from '#primitives/hex.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import type { RpcBlock } from '#rpc-types/objects.ts'
import { RpcError, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { ADDRESSES, EDITED, hashOf, observe, type Present, RECIPIENT, required, SENDERS } from './observe.ts'

type Operation =
  | { readonly kind: 'send'; readonly sender: number; readonly gap: boolean; readonly value: number }
  | { readonly kind: 'tick' | 'seal' | 'stall' | 'delay' | 'travel' | 'timestamp' | 'revert'; readonly n: number }
  | { readonly kind: 'drop' | 'reorg'; readonly n: number; readonly fate: WithdrawnFate }
  | { readonly kind: 'faucet' | 'setBalance' | 'snapshot' | 'baseFee' }

const counted = (kind: (Operation & { n: number })['kind'], min: number, max: number, weight = 1) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), n: fc.integer({ min, max }) }) as fc.Arbitrary<Operation>,
})
const withdrawal = (kind: 'drop' | 'reorg', max: number) => ({
  weight: 3,
  arbitrary: fc.record({
    kind: fc.constant(kind),
    n: fc.integer({ min: 1, max }),
    fate: fc.constantFrom<WithdrawnFate>('requeue', 'lose'),
  }) as fc.Arbitrary<Operation>,
})
const plain = (kind: 'faucet' | 'setBalance' | 'snapshot' | 'baseFee', weight = 1) => ({
  weight,
  arbitrary: fc.constant<Operation>({ kind }),
})

export const operation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      sender: fc.constantFrom(...SENDERS),
      gap: fc.integer({ min: 0, max: 5 }).map((draw) => draw === 0),
      value: fc.integer({ min: 1, max: 9 }),
    }),
  },
  counted('tick', 1, 12, 6),
  counted('seal', 1, 3),
  counted('stall', 0, 4),
  counted('delay', 0, 5_000),
  counted('travel', 1, 100),
  counted('timestamp', 1, 100),
  counted('revert', 0, 2, 2),
  withdrawal('drop', 4),
  withdrawal('reorg', 3),
  plain('faucet'),
  plain('setBalance'),
  plain('snapshot', 2),
  plain('baseFee'),
)

interface Snapshot {
  readonly id: Hex
  readonly present: Present
}

/** The steps so far. */
export interface Model {
  readonly sent: Set<Hash>
  /** Snapshots that can still be restored. */
  readonly snapshots: Snapshot[]
  /** Ids of all snapshots ever taken. */
  readonly ids: Set<Hex>
}

/** Runs an operation and compares its answer with the visible effects. */
export async function run(node: TestNode, next: Operation, step: number, model: Model): Promise<void> {
  const { request } = node
  const { sent, snapshots } = model
  switch (next.kind) {
    case 'send': {
      const nonce = Number(await request('eth_getTransactionCount', [ADDRESSES[next.sender], 'pending']))
      const raw = await signTransfer(next.sender, nonce + (next.gap ? 1 : 0), {
        to: RECIPIENT,
        value: BigInt(next.value),
        // High enough to replace the one before.
        maxFeePerGas: BigInt(Math.round(1e10 * 1.2 ** step)),
        tip: BigInt(Math.round(1e9 * 1.2 ** step)),
      })
      sent.add(await request('eth_sendRawTransaction', [raw]))
      return
    }
    case 'tick':
      await request('devnet_tick', [next.n])
      return
    case 'seal': {
      const before = await request('eth_blockNumber')
      const sealed = await request('devnet_seal', [next.n])
      expect(Number(sealed.number)).toBeGreaterThanOrEqual(Number(before) + next.n)
      return
    }
    case 'stall':
      await request('devnet_stallPartialBlocks', [next.n])
      return
    case 'delay':
      await request('devnet_delaySeal', [next.n])
      return
    case 'travel': {
      const latest = await required(node, 'latest')
      await request('evm_increaseTime', [next.n])
      const pending = await required(node, 'pending')
      expect(Number(pending.timestamp)).toBeGreaterThanOrEqual(Number(latest.timestamp) + next.n)
      return
    }
    case 'timestamp': {
      const timestamp = Number((await required(node, 'pending')).timestamp) + next.n
      await request('evm_setNextBlockTimestamp', [timestamp])
      expect(Number((await required(node, 'pending')).timestamp)).toBe(timestamp)
      return
    }
    case 'drop': {
      const before = await required(node, 'pending')
      const { withdrawn, index } = await request('devnet_dropPartialBlocks', [next.n, next.fate])
      const after = await required(node, 'pending')
      expect(after.number).toBe(before.number)
      expect([...after.transactions.map(hashOf), ...withdrawn]).toEqual(before.transactions.map(hashOf))
      expect(index).toBe((await request('devnet_status')).live.index)
      await checkFate(node, withdrawn, next.fate)
      return
    }
    case 'reorg':
      await reorg(node, next.n, next.fate)
      return
    case 'faucet': {
      const balance = await request('devnet_faucet', [EDITED, '0x1'])
      expect(await request('eth_getBalance', [EDITED, 'pending'])).toBe(balance)
      return
    }
    case 'setBalance':
      await request('anvil_setBalance', [EDITED, step])
      expect(Number(await request('eth_getBalance', [EDITED, 'latest']))).toBe(step)
      return
    case 'baseFee':
      await request('anvil_setNextBlockBaseFeePerGas', [7_000_000 + step])
      expect(Number((await required(node, 'pending')).baseFeePerGas)).toBe(7_000_000 + step)
      return
    case 'snapshot': {
      const present = await observe(node)
      const id = await request('evm_snapshot')
      expect(model.ids.has(id), 'no id is given twice').toBe(false)
      model.ids.add(id)
      snapshots.push({ id, present })
      return
    }
    case 'revert': {
      const target = snapshots[snapshots.length - 1 - next.n]
      if (!target) {
        expect(await request('evm_revert', ['0xffff'])).toBe(false)
        return
      }
      const gone = snapshots.splice(snapshots.length - 1 - next.n)
      expect(await request('evm_revert', [target.id])).toBe(true)
      expect(await observe(node)).toEqual(target.present)
      for (const { id } of gone) expect(await request('evm_revert', [id])).toBe(false)
      return
    }
    default:
      next satisfies never
  }
}

async function reorg(node: TestNode, depth: number, fate: WithdrawnFate): Promise<void> {
  const { request } = node
  const height = Number(await request('eth_blockNumber'))
  if (depth > height) {
    const before = await observe(node)
    const refused = await request('devnet_reorg', [depth, fate]).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RpcError)
    expect((refused as RpcError).error.code).toBe(-32602)
    expect(await observe(node)).toEqual(before)
    return
  }
  const blocks: RpcBlock[] = [await required(node, 'pending')]
  for (let number = height; number > height - depth; number--)
    blocks.push(await required(node, `0x${number.toString(16)}`))
  const { head, removed } = await request('devnet_reorg', [depth, fate])
  expect(Number(head.number)).toBe(height - depth)
  expect(removed).toEqual(blocks.slice(1).map(({ hash }) => hash))
  for (const hash of removed) expect(await request('eth_getBlockByHash', [hash, false])).toBeNull()
  await checkFate(
    node,
    blocks.flatMap(({ transactions }) => transactions.map(hashOf)),
    fate,
  )
}

/** Withdrawn transactions are in no block: they are pending again or unknown. */
async function checkFate({ request }: TestNode, hashes: readonly Hash[], fate: WithdrawnFate): Promise<void> {
  for (const hash of hashes) {
    expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
    const { status } = await request('chain_transactionStatus', [hash])
    if (fate === 'lose') expect(status).toBe('Unknown')
    const timeline = await request('devnet_getTransactionTimeline', [hash])
    const last = timeline?.events.at(-1)
    if (status === 'Known') expect(last).toMatchObject({ kind: 'withdrawn', requeued: true })
    else if (fate === 'lose') expect(last).toMatchObject({ kind: 'withdrawn', requeued: false })
    else expect(last?.kind).toBe('dropped')
  }
}
