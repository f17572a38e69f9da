import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { StateReader } from '../../../state/state-reader.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { blockRef } from '../../params/block-params.ts'
import { address } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { requireBlock } from '../../resolve-block.ts'
import { type SlotArg, slot, slotsByAccount } from './slot-params.ts'

/** Accounts and their storage. */
export const STATE_METHODS = {
  /** Wei held by an account at a block. */
  eth_getBalance: defineMethod([address, optional(blockRef, 'latest')], (context, account, ref) =>
    toQuantity(requireBlock(context, ref).state.account(account)?.balance ?? 0n),
  ),

  /** An account's nonce; at `pending` the one to use next, pooled transactions counted. */
  eth_getTransactionCount: defineMethod([address, optional(blockRef, 'latest')], (context, account, ref) => {
    if (ref === 'pending') return toQuantity(context.pool.pendingNonce(account))
    return toQuantity(requireBlock(context, ref).state.account(account)?.nonce ?? 0n)
  }),

  /** An account's code at a block. */
  eth_getCode: defineMethod([address, optional(blockRef, 'latest')], (context, account, ref) =>
    bytesToHex(requireBlock(context, ref).state.code(account)),
  ),

  /** The 32 bytes of a slot at a block. */
  eth_getStorageAt: defineMethod([address, slot, optional(blockRef, 'latest')], (context, account, key, ref) =>
    slotWord(requireBlock(context, ref).state, account, key),
  ),

  /** The same of many slots, and of many accounts, at one block. */
  eth_getStorageValues: defineMethod([slotsByAccount, optional(blockRef, 'latest')], (context, wanted, ref) => {
    const { state } = requireBlock(context, ref)
    const words = Array.from(wanted, ([account, keys]): [Address, readonly Hash[]] => [
      account,
      keys.map((key) => slotWord(state, account, key)),
    ])
    return Object.fromEntries(words)
  }),
} satisfies Partial<MethodTable>

function slotWord(state: StateReader, account: Address, { slot: key }: SlotArg): Hash {
  return toWord(bytesToBigInt(state.storage(account, key)))
}
