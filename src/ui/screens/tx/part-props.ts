import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { Progress } from '#ui/own/progress.ts'

/** Props of a tab of a transaction's screen. */
export interface PartProps {
  readonly tx: RpcTransaction
  /** `null` while the transaction waits. */
  readonly receipt: RpcReceipt | null
  readonly progress: Progress
}
