import type { MethodName } from '#rpc-types/methods.ts'
import type { Method, MethodTable } from './define-method.ts'
import { ACCOUNT_METHODS } from './families/account-methods.ts'
import { DEBUG_METHODS } from './families/debug-methods.ts'
import { DEVNET_METHODS } from './families/devnet-methods.ts'
import { LOG_METHODS } from './families/log-methods.ts'
import {
  ethGetBlockByHash,
  ethGetBlockByNumber,
  ethGetBlockReceipts,
  ethGetBlockTransactionCountByNumber,
} from './methods/blocks.ts'
import { ethCall, ethEstimateGas } from './methods/call.ts'
import { ethAccounts, ethBlockNumber, ethChainId, netVersion, web3ClientVersion } from './methods/chain-info.ts'
import {
  devnetFaucet,
  devnetGetTransactionTimeline,
  devnetPause,
  devnetResume,
  devnetSetSpeed,
  devnetStatus,
  devnetTick,
} from './methods/devnet.ts'
import { rpcDiscover } from './methods/discover.ts'
import { ethFeeHistory } from './methods/fee-history.ts'
import { ethGasPrice, ethMaxPriorityFeePerGas } from './methods/fees.ts'
import { ethGetProof } from './methods/get-proof.ts'
import { ethGetBalance, ethGetCode, ethGetStorageAt, ethGetTransactionCount } from './methods/state.ts'
import { ethSubscribe, ethUnsubscribe } from './methods/subscriptions.ts'
import {
  chainTransactionStatus,
  ethGetTransactionByHash,
  ethGetTransactionReceipt,
  ethSendRawTransaction,
} from './methods/transactions.ts'
import { txpoolContent } from './methods/txpool.ts'

/** Does not compile while a method of the contract is missing. */
const METHODS: MethodTable<MethodName> = {
  ...LOG_METHODS,
  ...DEBUG_METHODS,
  ...ACCOUNT_METHODS,
  ...DEVNET_METHODS,
  rpc_discover: rpcDiscover,
  web3_clientVersion: web3ClientVersion,
  net_version: netVersion,
  eth_chainId: ethChainId,
  eth_blockNumber: ethBlockNumber,
  eth_gasPrice: ethGasPrice,
  eth_maxPriorityFeePerGas: ethMaxPriorityFeePerGas,
  eth_feeHistory: ethFeeHistory,
  eth_getBlockByNumber: ethGetBlockByNumber,
  eth_getBlockByHash: ethGetBlockByHash,
  eth_getBlockTransactionCountByNumber: ethGetBlockTransactionCountByNumber,
  eth_getBalance: ethGetBalance,
  eth_getTransactionCount: ethGetTransactionCount,
  eth_getCode: ethGetCode,
  eth_getStorageAt: ethGetStorageAt,
  eth_getProof: ethGetProof,
  eth_call: ethCall,
  eth_estimateGas: ethEstimateGas,
  eth_sendRawTransaction: ethSendRawTransaction,
  eth_getTransactionByHash: ethGetTransactionByHash,
  eth_getTransactionReceipt: ethGetTransactionReceipt,
  eth_getBlockReceipts: ethGetBlockReceipts,
  eth_accounts: ethAccounts,
  eth_subscribe: ethSubscribe,
  eth_unsubscribe: ethUnsubscribe,
  chain_transactionStatus: chainTransactionStatus,
  devnet_status: devnetStatus,
  devnet_tick: devnetTick,
  devnet_pause: devnetPause,
  devnet_resume: devnetResume,
  devnet_setSpeed: devnetSetSpeed,
  devnet_faucet: devnetFaucet,
  devnet_getTransactionTimeline: devnetGetTransactionTimeline,
  txpool_content: txpoolContent,
}

/** Names that code written for Base, for OpenRPC, for other wallets or for other development nodes uses. */
const ALIASES: Readonly<Record<string, MethodName>> = {
  base_transactionStatus: 'chain_transactionStatus',
  evm_setAccountBalance: 'anvil_setBalance',
  evm_setAccountCode: 'anvil_setCode',
  evm_setAccountNonce: 'anvil_setNonce',
  evm_setAccountStorageAt: 'anvil_setStorageAt',
  hardhat_autoImpersonateAccount: 'anvil_autoImpersonateAccount',
  hardhat_dropAllTransactions: 'anvil_dropAllTransactions',
  'rpc.discover': 'rpc_discover',
  eth_signTypedData: 'eth_signTypedData_v4',
  eth_signTypedData_v3: 'eth_signTypedData_v4',
}

const byName: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...Object.entries(METHODS),
  ...Object.entries(ALIASES).map(([alias, name]): [string, Method] => [alias, METHODS[name]]),
])

/** Of every method, aliases included. */
export const METHOD_NAMES: readonly string[] = [...byName.keys()]

/** The method of that name, or of that alias. */
export function findMethod(name: string): Method | undefined {
  return byName.get(name)
}
