import type { Hash } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'

/** Receipts that are kept; the oldest go first. */
const CAPACITY = 2_000

const receipts = new Map<Hash, RpcReceipt>()

/** Keeps receipts as they were before the seal: afterwards the node answers with the sealed ones. */
export function keepPreconfirmed(seen: readonly RpcReceipt[]): void {
  for (const receipt of seen) {
    // A transaction that was withdrawn may be pre-confirmed once more, in another block.
    receipts.delete(receipt.transactionHash)
    receipts.set(receipt.transactionHash, receipt)
  }
  for (const hash of receipts.keys()) {
    if (receipts.size <= CAPACITY) return
    receipts.delete(hash)
  }
}

/** The receipt with which a transaction was pre-confirmed, if this page saw it. */
export function preconfirmedReceipt(hash: Hash): RpcReceipt | undefined {
  return receipts.get(hash)
}

/** Of another chain nothing is left. */
export function forgetPreconfirmed(): void {
  receipts.clear()
}

/** Whether a receipt is of a block that is not sealed. */
export function isPreconfirmed({ blockHash }: RpcReceipt): boolean {
  return BigInt(blockHash) === 0n
}
