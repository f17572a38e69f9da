import type { AccountMethods } from '#rpc-types/families/account-methods.ts'
import type { MethodTable } from '../define-method.ts'
import { ethFillTransaction, ethSendTransaction, ethSignTransaction } from '../methods/send-transaction.ts'
import { ethSign, ethSignTypedDataV4, personalEcRecover, personalSign } from '../methods/signing.ts'
import {
  ethRequestAccounts,
  walletAddEthereumChain,
  walletGetPermissions,
  walletRequestPermissions,
  walletSwitchEthereumChain,
  walletWatchAsset,
} from '../methods/wallet.ts'
import {
  walletGetCallsStatus,
  walletGetCapabilities,
  walletSendCalls,
  walletShowCallsStatus,
} from '../methods/wallet-calls.ts'

/** Does not compile while a method of the contract is missing. */
export const ACCOUNT_METHODS: MethodTable<keyof AccountMethods> = {
  eth_requestAccounts: ethRequestAccounts,
  eth_sign: ethSign,
  personal_sign: personalSign,
  personal_ecRecover: personalEcRecover,
  eth_signTypedData_v4: ethSignTypedDataV4,
  eth_signTransaction: ethSignTransaction,
  eth_fillTransaction: ethFillTransaction,
  eth_sendTransaction: ethSendTransaction,
  wallet_addEthereumChain: walletAddEthereumChain,
  wallet_switchEthereumChain: walletSwitchEthereumChain,
  wallet_watchAsset: walletWatchAsset,
  wallet_getPermissions: walletGetPermissions,
  wallet_requestPermissions: walletRequestPermissions,
  wallet_getCapabilities: walletGetCapabilities,
  wallet_sendCalls: walletSendCalls,
  wallet_getCallsStatus: walletGetCallsStatus,
  wallet_showCallsStatus: walletShowCallsStatus,
}
