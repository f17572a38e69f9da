import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { EMPTY_CODE_HASH } from '../../../state/state-reader.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { blockRef, requireStateBlock } from '../../params/block-params.ts'
import { address } from '../../params/hex-params.ts'
import { optional } from '../../params/param.ts'

/** All of an account in one answer. One that does not exist has nothing of anything, as in anvil. */
export const ETH_ACCOUNT_METHODS = {
  eth_getAccountInfo: defineMethod([address, optional(blockRef, 'latest')], (context, account, ref) => {
    const { state } = requireStateBlock(context, ref)
    const { balance = 0n, nonce = 0n } = state.account(account) ?? {}
    return { balance: toQuantity(balance), nonce: toQuantity(nonce), code: bytesToHex(state.code(account)) }
  }),

  eth_getAccount: defineMethod([address, optional(blockRef, 'latest')], (context, account, ref) => {
    const { account: found, storageHash } = requireStateBlock(context, ref).state.prove(account, [])
    const { balance = 0n, nonce = 0n, codeHash = EMPTY_CODE_HASH } = found ?? {}
    return { balance: toQuantity(balance), nonce: toQuantity(nonce), codeHash, storageRoot: storageHash }
  }),
} satisfies Partial<MethodTable>
