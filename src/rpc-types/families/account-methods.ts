import type { Address, Bytes65, Hash, Hex, Quantity } from '#primitives/hex.ts'
import type { RpcCall } from '#rpc-types/objects.ts'
import type {
  RpcAddedChain,
  RpcCallBundle,
  RpcCallsStatus,
  RpcCapabilities,
  RpcFilledTransaction,
  RpcPermission,
  RpcTypedData,
  RpcWatchedAsset,
} from '#rpc-types/wallet.ts'

/** Signing with development and impersonated accounts, and wallet basics. Method → positional parameters and result. */
export interface AccountMethods {
  /** EIP-1102: as `eth_accounts`. */
  eth_requestAccounts: { params: []; result: readonly Address[] }
  /** Signs an EIP-191 personal message; the last byte is 27 or 28. */
  eth_sign: { params: [account: Address, message: Hex]; result: Bytes65 }
  /** As `eth_sign` with its parameters swapped; a message without `0x` is UTF-8. */
  personal_sign: { params: [message: string, account: Address, password?: string]; result: Bytes65 }
  /** Who signed the personal message. */
  personal_ecRecover: { params: [message: string, signature: Bytes65]; result: Address }
  /** Signs EIP-712 typed data, given as JSON text or as an object. */
  eth_signTypedData_v4: { params: [account: Address, typedData: RpcTypedData | string]; result: Bytes65 }
  /** Signs a transaction: the bytes for `eth_sendRawTransaction`. Nonce, gas and fees must be given. */
  eth_signTransaction: { params: [transaction: RpcCall]; result: Hex }
  /** Completes a transaction: what is left to sign, and its bytes with an empty signature. */
  eth_fillTransaction: { params: [transaction: RpcCall]; result: { raw: Hex; tx: RpcFilledTransaction } }
  /** Fills, signs and submits a transaction; its hash. */
  eth_sendTransaction: { params: [transaction: RpcCall]; result: Hash }
  /** EIP-3085: the node's own chain is there already, another cannot be added. */
  wallet_addEthereumChain: { params: [chain: RpcAddedChain]; result: null }
  /** EIP-3326: nothing is left to do for the node's own chain, others are not known. */
  wallet_switchEthereumChain: { params: [chain: { chainId: Quantity }]; result: null }
  /** EIP-747, which has the parameters in an object rather than a list; the node takes both. */
  wallet_watchAsset: { params: [asset: RpcWatchedAsset]; result: true }
  /** EIP-2255: what callers may do, which is to see the accounts. */
  wallet_getPermissions: { params: []; result: readonly RpcPermission[] }
  /** EIP-2255: all that can be asked for is granted already. */
  wallet_requestPermissions: { params: [requested: { eth_accounts?: object }]; result: readonly RpcPermission[] }
  /** EIP-5792: what `wallet_sendCalls` can do, by chain id. */
  wallet_getCapabilities: {
    params: [account?: Address, chainIds?: readonly Quantity[]]
    result: Record<Quantity, RpcCapabilities>
  }
  /** EIP-5792: one transaction for each call, in their order, the gas of all estimated before the first is sent. */
  wallet_sendCalls: { params: [bundle: RpcCallBundle]; result: { id: string } }
  /** EIP-5792: what has come of the calls of a bundle. */
  wallet_getCallsStatus: { params: [id: string]; result: RpcCallsStatus }
  /** EIP-5792: nothing, since the node has no window to show it in. */
  wallet_showCallsStatus: { params: [id: string]; result: null }
}
