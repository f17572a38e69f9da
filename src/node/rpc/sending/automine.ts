import type { Transaction } from '../../tx/transaction.ts'
import type { NodeContext } from '../context.ts'
import { RpcRefusedError } from '../errors.ts'

/** How long a transaction may wait for a lower nonce that is still on its way, in milliseconds. */
const PATIENCE_MS = 1_000

/**
 * Mines a submitted transaction as in automine: resolves when its block is sealed.
 *
 * @throws {RpcRefusedError} `server` if it cannot be executed; it is then no longer in the pool. Also if it ran out of
 * gas, as in Hardhat; it is then mined, and has failed.
 */
export function mineAtOnce(...args: Parameters<typeof mine>): Promise<void> {
  const mining = mine(...args)
  // The submission itself may fail first, and then nobody waits for this.
  mining.catch(() => {})
  return mining
}

async function mine(
  tx: Transaction,
  { control, chain, pool }: Pick<NodeContext, 'control' | 'chain' | 'pool'>,
): Promise<void> {
  const outcome = await control.mine(tx, PATIENCE_MS)
  if (outcome.kind === 'dropped') throw new RpcRefusedError('server', outcome.reason, { data: tx.hash })
  if (outcome.kind === 'waits' && (await control.discard([tx.hash])).length > 0) {
    const next = pool.pendingNonce(tx.sender)
    const reason =
      next < tx.nonce
        ? `nonce too high: next nonce ${next}, tx nonce ${tx.nonce}`
        : `max fee per gas less than block base fee: baseFee: ${chain.pending().header.baseFeePerGas}`
    throw new RpcRefusedError('server', `${reason}; with automine no transaction waits`, { data: tx.hash })
  }
  const receipt = chain.findTransaction(tx.hash)?.included.receipt
  if (receipt?.status === 0 && receipt.gasUsed === tx.gas) {
    throw new RpcRefusedError('server', `out of gas: the transaction was mined, and failed: ${tx.hash}`, { data: '0x' })
  }
}
