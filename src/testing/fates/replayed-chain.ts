import type { Recording } from '#fates/recording.ts'
import type { ReplayedChain } from '#fates/replay.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'

/** A chain with a manual clock that starts over at its beginning. */
export async function replayedChain(name = 'chain', options: NodeOptions = {}): Promise<ReplayedChain> {
  const { node, request } = await createTestNode({ mode: 'manual', ...options })
  const snapshot = await request('devnet_snapshot')
  return {
    name,
    node,
    async startOver() {
      await request('devnet_reset', [snapshot, [snapshot]])
    },
  }
}

/** A dapp that sends one transaction, or one after the other. */
export async function transfers(count: number, listens: boolean): Promise<Recording> {
  const raws = await Promise.all(Array.from({ length: count }, (_, nonce) => signTransfer(0, nonce)))
  return {
    acts: raws.map((raw) => ({ kind: 'send', chain: 'chain', method: 'eth_sendRawTransaction', params: [raw] })),
    listens,
  }
}
