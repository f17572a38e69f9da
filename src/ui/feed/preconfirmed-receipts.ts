import type { Hash } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'

/** How many receipts are kept; the oldest are dropped first. */
const CAPACITY = 2_000

const receipts = new Map<Hash, RpcReceipt>()

/** Keeps pre-confirmed receipts; after the seal the node only returns the sealed ones. */
export function keepPreconfirmed(seen: readonly RpcReceipt[]): void {
  for (const receipt of seen) {
    // A withdrawn transaction may be pre-confirmed again in another block.
    receipts.delete(receipt.transactionHash)
    receipts.set(receipt.transactionHash, receipt)
  }
  for (const hash of receipts.keys()) {
    if (receipts.size <= CAPACITY) return
    receipts.delete(hash)
  }
}

/** The pre-confirmed receipt of a transaction, if this page saw it. */
export function preconfirmedReceipt(hash: Hash): RpcReceipt | undefined {
  return receipts.get(hash)
}

/** Forgets all receipts, for a new chain. */
export function forgetPreconfirmed(): void {
  receipts.clear()
}

/** Whether a receipt belongs to a block that is not sealed. */
export function isPreconfirmed({ blockHash }: RpcReceipt): boolean {
  return BigInt(blockHash) === 0n
}
