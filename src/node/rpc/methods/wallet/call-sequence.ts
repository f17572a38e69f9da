import { concatBytes } from '#primitives/bytes.ts'
import { type Address, type Hash, hexToBytes } from '#primitives/hex.ts'
import { keccak256Hex } from '../../../crypto/keccak.ts'
import type { Transaction } from '../../../tx/transaction.ts'
import type { CallerContext } from '../../define-method.ts'
import { draftSequence, finishDraft } from '../../sending/fill-transaction.ts'
import { senderSigner } from '../../sending/signer.ts'
import type { TransactionArgs } from '../../sending/transaction-params.ts'
import type { BundledCall } from './bundle-params.ts'

/** Sends one transaction for each call, or none. */
export interface CallSequence {
  /**
   * Signs and submits them.
   *
   * @returns Their hashes, in the order of the calls.
   * @throws {TxRejectedError} If the pool refuses one; those before it are taken out again.
   */
  submit(): readonly Hash[]
}

/**
 * Prepares the transactions of a bundle.
 *
 * @throws {RpcRefusedError} `server`, if the node does not send transactions for the account or if a call is none.
 * @throws {CallFailedError} If a call fails after those before it.
 */
export async function prepareCalls(
  context: CallerContext,
  from: Address,
  calls: readonly BundledCall[],
): Promise<CallSequence> {
  const { spec, pool, events } = context
  const sign = senderSigner(context, from)
  const drafts = await draftSequence(
    context,
    calls.map((call) => toArgs(from, call)),
  )
  return {
    submit() {
      const submitted: Transaction[] = []
      try {
        for (const draft of drafts) {
          // Asked anew each time: another transaction of the sender may wait behind a gap that was just filled.
          submitted.push(context.submit(sign(finishDraft(draft, pool.pendingNonce(from), spec))))
        }
      } catch (error) {
        for (const tx of submitted.toReversed()) {
          if (pool.remove(tx.hash)) events.emit('dropped', { tx, reason: 'a later call of its bundle was refused' })
        }
        throw error
      }
      return submitted.map(({ hash }) => hash)
    },
  }
}

/** An id that no other bundle has, since no other has these transactions. */
export function bundleIdOf(hashes: readonly Hash[]): string {
  return keccak256Hex(concatBytes(...hashes.map(hexToBytes)))
}

function toArgs(from: Address, { to, data, value }: BundledCall): TransactionArgs {
  return {
    from,
    to,
    data,
    value,
    gas: undefined,
    gasPrice: undefined,
    maxFeePerGas: undefined,
    maxPriorityFeePerGas: undefined,
    input: undefined,
    chainId: undefined,
    nonce: undefined,
    type: undefined,
    accessList: [],
    authorizationList: [],
    authorizes: false,
    hasBlobs: false,
  }
}
