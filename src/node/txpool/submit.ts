import type { ChainSpec } from '../spec/chain-spec.ts'
import { TxRejectedError } from '../tx/rejection.ts'
import type { Transaction } from '../tx/transaction.ts'
import { checkReplayProtection, validateTransaction } from '../tx/validate.ts'
import type { Added, TxPool } from './txpool.ts'

export interface Submission extends Added {
  readonly tx: Transaction
}

/**
 * Takes a transaction into the pool, after the checks of `eth_sendRawTransaction` in their order.
 *
 * @throws {TxRejectedError} For the first check that fails; the pool is then as it was.
 */
export function submitTransaction(
  tx: Transaction,
  {
    spec,
    pool,
  }: { readonly spec: Pick<ChainSpec, 'chainId' | 'gasLimit' | 'allowUnprotected'>; readonly pool: TxPool },
): Submission {
  checkReplayProtection(tx, spec)
  if (pool.knows(tx.hash)) throw new TxRejectedError('already-known', 'already known')
  validateTransaction(tx, spec)
  return { tx, ...pool.add(tx) }
}
