import type { RpcReceipt } from './objects.ts'

/** `blockHash` of a receipt that is pre-confirmed but not sealed. */
const NO_BLOCK = `0x${'0'.repeat(64)}`

/** A stage of a transaction; a sealed one is also pre-confirmed. */
export type TransactionStage = 'preconfirmed' | 'sealed'

/** Whether a receipt is that of a transaction at this stage. */
export function isAtStage({ blockHash }: Pick<RpcReceipt, 'blockHash'>, stage: TransactionStage): boolean {
  return stage === 'preconfirmed' || blockHash !== NO_BLOCK
}
