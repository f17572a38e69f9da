import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { formatDuration, formatEth, formatInteger } from '#ui/format/numbers.ts'
import { stepTimes } from '#ui/own/progress.ts'

/**
 * A transaction in a few lines of text that stand alone.
 *
 * @param receipt - Of the pending or a sealed block; `undefined` while it waits.
 * @param events - Its steps, as far as the node remembers them.
 */
export function aboutTransaction(
  tx: RpcTransaction,
  receipt: RpcReceipt | undefined,
  events: readonly TimelineEvent[],
): readonly string[] {
  const { preconfirmedMs, sealedMs } = stepTimes(events)
  const times = [
    preconfirmedMs !== undefined && `pre-confirmed after ${formatDuration(preconfirmedMs)}`,
    sealedMs !== undefined && `sealed after ${formatDuration(sealedMs)}`,
  ].filter((time) => time !== false)
  const where = receipt
    ? `${receipt.status === '0x0' ? 'Reverted' : 'Succeeded'} in block #${formatInteger(Number(receipt.blockNumber))}`
    : 'Waiting in the mempool'
  return [
    `Transaction ${tx.hash}`,
    `${where}${times.length > 0 ? `: ${times.join(', ')}` : ''}.`,
    `${formatEth(BigInt(tx.value))} from ${tx.from} to ${tx.to ?? 'a new contract'}`,
  ]
}
