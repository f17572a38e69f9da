import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, toQuantity } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { EMPTY_CODE_HASH } from '../../../state/state-reader.ts'
import type { StateSnapshot } from '../../../state/state-snapshot.ts'
import { guardFor } from '../../caller-guard.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { mapInSlices, portionsOf } from '../../map-in-slices.ts'
import { blockRef } from '../../params/block-params.ts'
import { address } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'
import { requireBlock } from '../../resolve-block.ts'
import { type SlotArg, slots } from './slot-params.ts'

/** Slots that are proved without a pause. */
const SLOTS_PER_PORTION = 16

/** Merkle proofs. */
export const PROOF_METHODS = {
  /**
   * An account and some of its slots, with proofs against the block's `stateRoot`.
   *
   * @see {@link https://eips.ethereum.org/EIPS/eip-1186 | EIP-1186}
   */
  eth_getProof: defineMethod(
    [address, slots, optional(blockRef, 'latest')],
    async (context, account, keys, ref) => {
      const { state } = requireBlock(context, ref)
      const proof = state.prove(account, [])
      const storageProof = await mapInSlices(
        portionsOf(keys, SLOTS_PER_PORTION),
        (portion) => proveSlots(state, account, portion),
        guardFor(context),
      )
      return {
        address: account,
        accountProof: proof.accountProof.map(bytesToHex),
        balance: toQuantity(proof.account?.balance ?? 0n),
        codeHash: proof.account?.codeHash ?? EMPTY_CODE_HASH,
        nonce: toQuantity(proof.account?.nonce ?? 0n),
        storageHash: proof.storageHash,
        storageProof: storageProof.flat(),
      }
    },
    { queue: 'answer' },
  ),
} satisfies Partial<MethodTable>

function proveSlots(state: StateSnapshot, account: Address, keys: readonly SlotArg[]) {
  const { storageProof } = state.prove(
    account,
    keys.map(({ slot }) => slot),
  )
  return storageProof.map(({ value, proof }, i) => {
    const key = keys[i]
    invariant(key, 'there is one storage proof for each key')
    return { key: key.shown, value: toQuantity(bytesToBigInt(value)), proof: proof.map(bytesToHex) }
  })
}
