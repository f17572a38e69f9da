import { type Hash, hexToBytes } from '#primitives/hex.ts'
import { CallFailedError } from '../../evm/calls/call.ts'
import type { Transaction } from '../../tx/transaction.ts'
import { guardFor } from '../caller-guard.ts'
import type { CallerContext } from '../define-method.ts'
import { RpcRefusedError } from '../errors.ts'

/** How long a transaction may wait for a lower nonce that is still on its way, in milliseconds. */
const PATIENCE_MS = 1_000

/**
 * Mines a submitted transaction as in automine: resolves when its block is sealed.
 *
 * @throws {RpcRefusedError} `server` if it cannot be executed; it is then no longer in the pool. Also if it ended
 * in an exception, which takes all its gas, as in Hardhat; it is then mined, and has failed. Not where the chain's dialect
 * answers a hash for whatever waits or fails.
 * @throws {CallFailedError} If it reverts and the chain was asked to say so; it is mined as well.
 */
export function mineAtOnce(...args: Parameters<typeof mine>): Promise<void> {
  const mining = mine(...args)
  // The submission itself may fail first, and then nobody waits for this.
  mining.catch(() => {})
  return mining
}

/** Why a transaction that has used all its gas failed: `out of gas`, or another exception. */
async function failureOf(hash: Hash, context: CallerContext): Promise<string> {
  const { SELDOM_METHODS } = await import('../seldom-methods.ts')
  const config = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
  const frame = (await SELDOM_METHODS.debug_traceTransaction.run(context, [hash, config])) as {
    readonly error?: string
  }
  return frame.error ?? 'out of gas'
}

async function mine(tx: Transaction, context: CallerContext): Promise<void> {
  const { control, chain, pool, spec, dialect } = context
  const answersHash = dialect?.failedSend === 'hash'
  const outcome = await control.mine(tx, answersHash ? undefined : PATIENCE_MS)
  if (outcome.kind === 'dropped') throw new RpcRefusedError('server', outcome.reason, { data: tx.hash })
  if (answersHash) return
  if (outcome.kind === 'waits') {
    const next = pool.pendingNonce(tx.sender)
    const problem =
      next < tx.nonce
        ? `nonce too high: next nonce ${next}, tx nonce ${tx.nonce}`
        : `max fee per gas less than block base fee: baseFee: ${chain.pending().header.baseFeePerGas}`
    const reason = `${problem}; with automine no transaction waits`
    const found = await control.discard([tx.hash], reason)
    if (found.length > 0) throw new RpcRefusedError('server', reason, { data: tx.hash })
  }
  const receipt = chain.findTransaction(tx.hash)?.included.receipt
  if (receipt?.status !== 0) return
  const stack = await context.failures.ofTransaction(tx.hash, guardFor(context, spec.callTimeoutMs))
  if (spec.throwOnTransactionFailures) {
    // A receipt does not have the revert data: the transaction is executed once more.
    const { SELDOM_METHODS } = await import('../seldom-methods.ts')
    const data = hexToBytes(await SELDOM_METHODS.ots_getTransactionError.run(context, [tx.hash]))
    if (data.length > 0 || receipt.gasUsed < tx.gas) {
      throw new CallFailedError('reverted', 'execution reverted', data, undefined, stack)
    }
  }
  if (receipt.gasUsed === tx.gas) {
    const why = await failureOf(tx.hash, context)
    throw new RpcRefusedError('server', `${why}: the transaction was mined, and failed: ${tx.hash}`, {
      data: '0x',
      stackTrace: stack,
    })
  }
}
