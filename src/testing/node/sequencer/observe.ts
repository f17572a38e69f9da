import type { Hash, Hex } from '#primitives/hex.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import { devAccount, type TestNode } from '#testing/node/test-node.ts'

export const SENDERS = [0, 1, 2]
export const ADDRESSES = SENDERS.map((index) => devAccount(index).address.toLowerCase() as Hex)
/** No other test sends to or from it. */
export const RECIPIENT: Hex = `0x${'e1'.repeat(20)}`
export const EDITED: Hex = `0x${'e2'.repeat(20)}`

/** Everything that a snapshot restores. */
export interface Present {
  readonly head: Hash
  readonly pending: Hash
  readonly index: number
  readonly pool: readonly Hash[]
}

export const hashOf = (transaction: Hash | RpcTransaction): Hash =>
  typeof transaction === 'string' ? transaction : transaction.hash

export async function required({ request }: TestNode, selector: string): Promise<RpcBlock> {
  const block = await request('eth_getBlockByNumber', [selector, true])
  if (!block) throw new Error(`no block ${selector}`)
  return block
}

export async function pooled({ request }: TestNode): Promise<{ readonly pending: Hash[]; readonly all: Hash[] }> {
  const { pending, queued } = await request('txpool_content')
  const flat = (part: typeof pending) => Object.values(part).flatMap((byNonce) => Object.values(byNonce).map(hashOf))
  return { pending: flat(pending), all: [...flat(pending), ...flat(queued)].toSorted() }
}

export async function observe(node: TestNode): Promise<Present> {
  const { live } = await node.request('devnet_status')
  return {
    head: (await required(node, 'latest')).hash,
    pending: (await required(node, 'pending')).hash,
    index: live.index,
    pool: (await pooled(node)).all,
  }
}
