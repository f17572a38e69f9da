import { impersonateTransaction } from '../../../tx/sign.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { optional } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { draftTransaction, finishDraft } from '../../sending/fill-transaction.ts'
import { transactionArgs } from '../../sending/transaction-params.ts'
import { revertToSnapshot, takeSnapshot } from '../devnet/state.ts'
import { snapshotId } from './dev-params.ts'

/** Snapshots and going back. */
export const DEV_CHAIN_METHODS = {
  /** Remembers the chain. */
  evm_snapshot: defineMethod([], takeSnapshot),
  anvil_snapshot: defineMethod([], takeSnapshot),

  /** Goes back to a snapshot. */
  evm_revert: defineMethod([snapshotId], revertToSnapshot),
  anvil_revert: defineMethod([snapshotId], revertToSnapshot),

  /** Takes sealed blocks back, with what was in them. */
  anvil_rollback: defineMethod([optional(integerWithin(1, 2 ** 32), 1)], async ({ control }, depth) => {
    await control.reorg(depth, 'lose')
    return null
  }),

  /** A transaction of any account, as if it were impersonated. */
  eth_sendUnsignedTransaction: defineMethod([transactionArgs], async (context, args) => {
    if (args.from === undefined) throw new RpcRefusedError('invalid-params', 'missing from')
    const draft = await draftTransaction(context, args)
    // No await from here on: two transactions of one sender must not get the same nonce.
    const nonce = args.nonce ?? context.pool.pendingNonce(args.from)
    return context.submit(impersonateTransaction(finishDraft(draft, nonce, context.spec), args.from)).hash
  }),
} satisfies Partial<MethodTable>
