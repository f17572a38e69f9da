import { expect } from 'vitest'
import type { Hash } from '#primitives/hex.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import { jsonHeaderHash } from '#testing/node/rpc/json-header-hash.ts'
import type { TestNode } from '#testing/node/test-node.ts'
import type { Follower } from './follower.ts'
import { ADDRESSES, hashOf, pooled, RECIPIENT, required } from './observe.ts'

const NO_BLOCK: Hash = `0x${'0'.repeat(64)}`

/** Checks what must hold for a chain after any operations. @param sent - All transactions that were sent. */
export async function check(node: TestNode, sent: ReadonlySet<Hash>, follower: Follower): Promise<void> {
  const { request } = node
  const pending = await required(node, 'pending')
  const height = Number(await request('eth_blockNumber'))
  const chain: RpcBlock[] = []
  for (let number = 0; number <= height; number++) chain.push(await required(node, `0x${number.toString(16)}`))

  for (const [number, block] of [...chain, pending].entries()) {
    expect(Number(block.number)).toBe(number)
    expect(jsonHeaderHash(block)).toBe(block.hash)
    const parent = chain[number - 1]
    if (!parent) continue
    expect(block.parentHash).toBe(parent.hash)
    expect(Number(block.timestamp)).toBeGreaterThan(Number(parent.timestamp))
  }

  const included = new Map<Hash, { readonly tx: RpcTransaction; readonly block: RpcBlock }>()
  for (const block of [...chain, pending]) {
    for (const tx of block.transactions as readonly RpcTransaction[]) {
      expect(included.has(tx.hash), 'no transaction is on the chain twice').toBe(false)
      included.set(tx.hash, { tx, block })
    }
  }
  const pool = await pooled(node)
  for (const hash of pool.all) expect(included.has(hash), 'nothing is both pooled and included').toBe(false)

  for (const hash of sent) {
    const receipt = await request('eth_getTransactionReceipt', [hash])
    const timeline = await request('devnet_getTransactionTimeline', [hash])
    const last = timeline?.events.at(-1)
    const place = included.get(hash)
    const { status } = await request('chain_transactionStatus', [hash])
    if (place?.block === pending) {
      expect(receipt).toMatchObject({ blockHash: NO_BLOCK, blockNumber: pending.number, status: '0x1' })
      expect(last).toMatchObject({ kind: 'preconfirmed', blockNumber: pending.number })
      expect(status).toBe('Known')
    } else if (place) {
      expect(receipt).toMatchObject({ blockHash: place.block.hash, blockNumber: place.block.number })
      expect(last).toMatchObject({ kind: 'sealed', blockHash: place.block.hash })
      expect(status).toBe('Known')
    } else if (pool.all.includes(hash)) {
      expect(receipt).toBeNull()
      if (last?.kind === 'withdrawn') expect(last.requeued).toBe(true)
      else expect(last?.kind).toBe('received')
    } else {
      expect(receipt).toBeNull()
      expect(status).toBe('Unknown')
      if (last?.kind === 'withdrawn') expect(last.requeued).toBe(false)
      else expect(['dropped', 'replaced']).toContain(last?.kind)
    }
  }

  const content = await request('txpool_content')
  for (const address of ADDRESSES) {
    const own = [...included.values()].filter(({ tx }) => tx.from === address)
    const sealed = own.filter(({ block }) => block !== pending)
    expect(Number(await request('eth_getTransactionCount', [address, 'latest']))).toBe(sealed.length)
    expect(Number((await request('eth_getProof', [address, [], 'pending'])).nonce)).toBe(own.length)
    const waiting = Object.entries(content.pending).find(([sender]) => sender.toLowerCase() === address)?.[1] ?? {}
    expect(Object.values(waiting).map(({ nonce }) => Number(nonce))).toEqual(
      Object.values(waiting).map((_, i) => own.length + i),
    )
    expect(Number(await request('eth_getTransactionCount', [address, 'pending']))).toBe(
      own.length + Object.keys(waiting).length,
    )
  }
  const received = (blocks: readonly RpcBlock[]) =>
    blocks
      .flatMap(({ transactions }) => transactions as readonly RpcTransaction[])
      .reduce((sum, { to, value }) => sum + (to === RECIPIENT ? BigInt(value) : 0n), 0n)
  expect(BigInt(await request('eth_getBalance', [RECIPIENT, 'latest']))).toBe(received(chain))
  expect(BigInt(await request('eth_getBalance', [RECIPIENT, 'pending']))).toBe(received([...chain, pending]))

  expect(follower.live, 'who follows the diffs knows the live block').toMatchObject({
    number: pending.number,
    parentHash: pending.parentHash,
    hash: pending.hash,
    transactions: pending.transactions.map(hashOf),
  })
}
