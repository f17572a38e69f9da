import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { Progress } from '#ui/own/progress.ts'

/** What a part of a transaction's screen is made of. */
export interface PartProps {
  readonly tx: RpcTransaction
  /** `null` while it waits. */
  readonly receipt: RpcReceipt | null
  readonly progress: Progress
}
