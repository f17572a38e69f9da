import type { Hash, Hex } from '#primitives/hex.ts'
import { devAccount } from '#testing/node/test-node.ts'

/** A signed contract creation whose constructor logs each topic once, with the data `0x2a`. */
export function signLogger(from: number, nonce: number, ...topics: readonly Hash[]): Promise<Hex> {
  const logs = topics.map((topic) => `7f${topic.slice(2)}6001601fa1`).join('')
  return devAccount(from).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    gas: 300_000n,
    data: `0x602a5f52${logs}00`,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })
}
