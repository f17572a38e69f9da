import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { EMPTY_CODE_HASH } from '../../state/state-reader.ts'
import { defineMethod } from '../define-method.ts'
import { blockRef } from '../params/block-params.ts'
import { address } from '../params/hex-params.ts'
import { optional } from '../params/param.ts'
import { slots } from '../params/slot-params.ts'
import { requireBlock } from '../resolve-block.ts'

/**
 * `eth_getProof`: an account and some of its slots, with proofs against the block's `stateRoot`.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-1186 | EIP-1186}
 */
export const ethGetProof = defineMethod(
  'eth_getProof',
  [address, slots, optional(blockRef, 'latest')],
  (context, account, keys, ref) => {
    const proof = requireBlock(context, ref).state.prove(
      account,
      keys.map(({ slot }) => slot),
    )
    return {
      address: account,
      accountProof: proof.accountProof.map(bytesToHex),
      balance: toQuantity(proof.account?.balance ?? 0n),
      codeHash: proof.account?.codeHash ?? EMPTY_CODE_HASH,
      nonce: toQuantity(proof.account?.nonce ?? 0n),
      storageHash: proof.storageHash,
      storageProof: proof.storageProof.map(({ value, proof: nodes }, i) => {
        const key = keys[i]
        invariant(key, 'there is one storage proof for each key')
        return { key: key.shown, value: toQuantity(bytesToBigInt(value)), proof: nodes.map(bytesToHex) }
      }),
    }
  },
)
