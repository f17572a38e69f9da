import { impersonateTransaction } from '../../../tx/sign.ts'
import { defineMethod } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { optional } from '../../params/param.ts'
import { integerWithin } from '../../params/plain-params.ts'
import { draftTransaction, finishDraft } from '../../sending/fill-transaction.ts'
import { transactionArgs } from '../../sending/transaction-params.ts'
import { revertToSnapshot, takeSnapshot } from '../devnet/state.ts'
import { snapshotId } from './dev-params.ts'

/** `evm_snapshot`: remembers the chain. */
export const evmSnapshot = defineMethod('evm_snapshot', [], takeSnapshot)
/** `anvil_snapshot`: the same. */
export const anvilSnapshot = defineMethod('anvil_snapshot', [], takeSnapshot)

/** `evm_revert`: goes back to a snapshot. */
export const evmRevert = defineMethod('evm_revert', [snapshotId], revertToSnapshot)
/** `anvil_revert`: the same. */
export const anvilRevert = defineMethod('anvil_revert', [snapshotId], revertToSnapshot)

/** `anvil_rollback`: takes sealed blocks back, with what was in them. */
export const anvilRollback = defineMethod(
  'anvil_rollback',
  [optional(integerWithin(1, 2 ** 32), 1)],
  async ({ control }, depth) => {
    await control.reorg(depth, 'lose')
    return null
  },
)

/** `eth_sendUnsignedTransaction`: a transaction of any account, as if it were impersonated. */
export const ethSendUnsignedTransaction = defineMethod(
  'eth_sendUnsignedTransaction',
  [transactionArgs],
  async (context, args) => {
    if (args.from === undefined) throw new RpcRefusedError('invalid-params', 'missing from')
    const draft = await draftTransaction(context, args)
    // No await from here on: two transactions of one sender must not get the same nonce.
    const nonce = args.nonce ?? context.pool.pendingNonce(args.from)
    return context.submit(impersonateTransaction(finishDraft(draft, nonce, context.spec), args.from)).hash
  },
)
