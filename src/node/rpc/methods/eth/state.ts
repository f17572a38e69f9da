import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { StateReader } from '../../../state/state-reader.ts'
import { defineMethod } from '../../define-method.ts'
import { blockRef } from '../../params/block-params.ts'
import { address } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { requireBlock } from '../../resolve-block.ts'
import { type SlotArg, slot, slotsByAccount } from './slot-params.ts'

/** `eth_getBalance`: wei held by an account at a block. */
export const ethGetBalance = defineMethod(
  'eth_getBalance',
  [address, optional(blockRef, 'latest')],
  (context, account, ref) => toQuantity(requireBlock(context, ref).state.account(account)?.balance ?? 0n),
)

/** `eth_getTransactionCount`: an account's nonce; at `pending` the one to use next, pooled transactions counted. */
export const ethGetTransactionCount = defineMethod(
  'eth_getTransactionCount',
  [address, optional(blockRef, 'latest')],
  (context, account, ref) => {
    if (ref === 'pending') return toQuantity(context.pool.pendingNonce(account))
    return toQuantity(requireBlock(context, ref).state.account(account)?.nonce ?? 0n)
  },
)

/** `eth_getCode`: an account's code at a block. */
export const ethGetCode = defineMethod(
  'eth_getCode',
  [address, optional(blockRef, 'latest')],
  (context, account, ref) => bytesToHex(requireBlock(context, ref).state.code(account)),
)

/** `eth_getStorageAt`: the 32 bytes of a slot at a block. */
export const ethGetStorageAt = defineMethod(
  'eth_getStorageAt',
  [address, slot, optional(blockRef, 'latest')],
  (context, account, key, ref) => slotWord(requireBlock(context, ref).state, account, key),
)

/** `eth_getStorageValues`: the same of many slots, and of many accounts, at one block. */
export const ethGetStorageValues = defineMethod(
  'eth_getStorageValues',
  [slotsByAccount, optional(blockRef, 'latest')],
  (context, wanted, ref) => {
    const { state } = requireBlock(context, ref)
    const words = Array.from(wanted, ([account, keys]): [Address, readonly Hash[]] => [
      account,
      keys.map((key) => slotWord(state, account, key)),
    ])
    return Object.fromEntries(words)
  },
)

function slotWord(state: StateReader, account: Address, { slot: key }: SlotArg): Hash {
  return toWord(bytesToBigInt(state.storage(account, key)))
}
