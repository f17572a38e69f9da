import { expect, test } from 'vitest'
import { createTestNode, devAccount, RpcError, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import type { BaseRecord } from '../persistence/records.ts'
import { BlockUnreadableError, JOURNAL_PARTS, type RecordShelf, type StoredBytes } from '../storage/journal.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'

/** A journal on a disk that can fail to read what blocks have changed. */
class FailingJournal extends MemoryJournal {
  isFailing = false

  override get shelf(): RecordShelf {
    const shelf = super.shelf
    return {
      ...shelf,
      placed: async (part) =>
        ((await shelf.placed?.(part)) ?? []).map(([key, place]) => [
          key,
          { length: place.length, read: (...bytes) => this.#read(place, bytes) },
        ]),
    }
  }

  #read(place: StoredBytes, bytes: Parameters<StoredBytes['read']>): Uint8Array {
    if (this.isFailing) throw new BlockUnreadableError('The disk fails.')
    return place.read(...bytes)
  }
}

/** Number of the block whose whole state is stored. */
async function baseOf(journal: MemoryJournal): Promise<number> {
  const base: unknown = JSON.parse(new TextDecoder().decode(await journal.read('meta', 'base')))
  return (base as BaseRecord).number
}

async function answer({ request }: TestNode, name: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await request(name as 'eth_getBalance', params as never)
  } catch (error) {
    if (error instanceof RpcError) return { refused: error.message }
    throw error
  }
}

test('where the disk fails, a call about a state before a restart is refused, and the chain is as before', async () => {
  const stored = new MemoryJournal()
  const first = await createTestNode({ mode: 'manual' }, { journal: stored })
  await first.request('anvil_mine', ['0x2bc'])
  for (let nonce = 0; nonce < 30; nonce++) {
    await first.request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
    await first.request('evm_mine')
  }
  // Until the whole state is written again, of a block after the one that is asked for.
  await expect.poll(() => first.request('evm_mine').then(() => baseOf(stored))).toBeGreaterThan(715)
  const payer = devAccount(0).address
  const balance = await first.request('eth_getBalance', [payer, '0x2c6'])
  const journal = new FailingJournal()
  for (const part of JOURNAL_PARTS) {
    const entries = await stored.afterCrash().readAll(part)
    await journal.write(entries.map(([key, value]) => ({ kind: 'put', part, key, value })))
  }
  const node = await createTestNode({}, { journal })
  const { request } = node
  const state = async () => [
    await request('eth_getBlockByNumber', ['latest', true]),
    await request('eth_getBlockByNumber', ['pending', true]),
    await request('eth_getBalance', [payer, 'latest']),
    await request('txpool_content'),
  ]
  const before = await state()
  const depth = Number(await request('eth_blockNumber')) - 710
  const calls: [string, ...unknown[]][] = [
    ['eth_getBalance', payer, '0x2c6'],
    ['eth_getProof', payer, [], '0x2c6'],
    ['debug_traceBlockByNumber', '0x2c7'],
    ['devnet_exportChain'],
    ['devnet_reorg', depth],
    ['anvil_rollback', depth],
  ]
  journal.isFailing = true
  for (const [name, ...params] of calls) {
    expect(await answer(node, name, params), name).toEqual({ refused: 'The disk fails.' })
    expect(await state(), name).toEqual(before)
  }
  await request('eth_sendRawTransaction', [await signTransfer(0, 30)])
  await request('evm_mine')
  journal.isFailing = false
  expect(await request('eth_getBalance', [payer, '0x2c6'])).toBe(balance)
  await request('devnet_reorg', [depth])
  expect(await request('eth_blockNumber')).toBe('0x2c7')
})
