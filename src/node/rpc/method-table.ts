import type { MethodName } from '#rpc-types/methods.ts'
import type { Method, MethodOptions, MethodTable } from './define-method.ts'
import { ANVIL_ACCOUNT_METHODS } from './methods/anvil/accounts.ts'
import { ANVIL_HEADER_METHODS } from './methods/anvil/header.ts'
import { ANVIL_MINING_METHODS } from './methods/anvil/mining.ts'
import { ANVIL_NODE_METHODS } from './methods/anvil/node.ts'
import { ANVIL_POOL_METHODS } from './methods/anvil/pool.ts'
import { ANVIL_SNAPSHOT_METHODS } from './methods/anvil/snapshots.ts'
import { ANVIL_TIME_METHODS } from './methods/anvil/time.ts'
import { CHAIN_METHODS } from './methods/chain.ts'
import { DEBUG_RAW_METHODS } from './methods/debug/raw.ts'
import { DEBUG_STORAGE_METHODS } from './methods/debug/storage-range.ts'
import { DEVNET_CLOCK_METHODS } from './methods/devnet/clock.ts'
import { DEVNET_FAULT_METHODS } from './methods/devnet/faults.ts'
import { DEVNET_NODE_METHODS } from './methods/devnet/node.ts'
import { DEVNET_STATE_METHODS } from './methods/devnet/state.ts'
import { DEVNET_STORAGE_METHODS } from './methods/devnet/storage.ts'
import { ETH_BLOCK_METHODS } from './methods/eth/blocks.ts'
import { ETH_CALL_METHODS } from './methods/eth/calls.ts'
import { ETH_CHAIN_METHODS } from './methods/eth/chain.ts'
import { ETH_FEE_METHODS } from './methods/eth/fees.ts'
import { ETH_LOG_METHODS } from './methods/eth/logs.ts'
import { ETH_SENDING_METHODS } from './methods/eth/sending.ts'
import { ETH_SIGNING_METHODS } from './methods/eth/signing.ts'
import { ETH_SIMULATION_METHODS } from './methods/eth/simulate.ts'
import { ETH_STATE_METHODS } from './methods/eth/state.ts'
import { ETH_SUBSCRIPTION_METHODS } from './methods/eth/subscriptions.ts'
import { ETH_TRANSACTION_METHODS } from './methods/eth/transactions.ts'
import { NET_METHODS } from './methods/net.ts'
import { PERSONAL_METHODS } from './methods/personal.ts'
import { RPC_METHODS } from './methods/rpc.ts'
import { TXPOOL_METHODS } from './methods/txpool.ts'
import { WALLET_METHODS } from './methods/wallet/basics.ts'
import { WALLET_BUNDLE_METHODS } from './methods/wallet/bundles.ts'
import { WEB3_METHODS } from './methods/web3.ts'

const TRACE: MethodOptions = { queue: 'trace' }
const ANSWER: MethodOptions = { queue: 'answer' }

/**
 * Methods whose code is loaded with the first call of one of them.
 *
 * @param options - What the dispatcher must know of each method before its code is loaded.
 */
function loadMethods<Name extends MethodName>(
  options: Readonly<Record<Name, MethodOptions>>,
  load: () => Promise<Pick<MethodTable, Name>>,
): Pick<MethodTable, Name> {
  const names = Object.keys(options) as Name[]
  const methods = names.map((name): [Name, Method] => [
    name,
    { ...options[name], run: async (context, params) => (await load())[name].run(context, params) },
  ])
  return Object.fromEntries(methods) as Pick<MethodTable, Name>
}

/** Methods that few callers need, with their options; their code is in `seldom-methods.ts`. */
export const SELDOM_METHODS = loadMethods(
  {
    anvil_dealERC20: TRACE,
    anvil_reorg: { sealsItself: true },
    anvil_setERC20Allowance: TRACE,
    debug_traceBlockByHash: TRACE,
    debug_traceBlockByNumber: TRACE,
    debug_traceCall: TRACE,
    debug_traceTransaction: TRACE,
    devnet_getMoments: TRACE,
    devnet_showMoment: TRACE,
    devnet_getBuild: ANSWER,
    devnet_getConsoleLogs: TRACE,
    devnet_getStackTrace: TRACE,
    devnet_traceExecution: TRACE,
    devnet_traceSteps: TRACE,
    devnet_traceStorage: TRACE,
    hardhat_addCompilationResult: ANSWER,
    ots_getApiLevel: {},
    ots_getBlockDetails: {},
    ots_getBlockDetailsByHash: {},
    ots_getBlockTransactions: ANSWER,
    ots_getContractCreator: TRACE,
    ots_getInternalOperations: TRACE,
    ots_getTransactionBySenderAndNonce: {},
    ots_getTransactionError: TRACE,
    ots_hasCode: {},
    ots_searchTransactionsAfter: ANSWER,
    ots_searchTransactionsBefore: ANSWER,
    ots_traceTransaction: TRACE,
    trace_block: TRACE,
    trace_filter: TRACE,
    trace_get: TRACE,
    trace_replayBlockTransactions: TRACE,
    trace_replayTransaction: TRACE,
    trace_transaction: TRACE,
  },
  async () => (await import('./seldom-methods.ts')).SELDOM_METHODS,
)

/** One line for each file of methods. Does not compile while a method of the contract is missing. */
const METHODS: MethodTable = {
  ...CHAIN_METHODS,
  ...DEBUG_RAW_METHODS,
  ...DEBUG_STORAGE_METHODS,
  ...ANVIL_ACCOUNT_METHODS,
  ...ANVIL_SNAPSHOT_METHODS,
  ...ANVIL_HEADER_METHODS,
  ...ANVIL_MINING_METHODS,
  ...ANVIL_NODE_METHODS,
  ...ANVIL_POOL_METHODS,
  ...ANVIL_TIME_METHODS,
  ...DEVNET_CLOCK_METHODS,
  ...DEVNET_FAULT_METHODS,
  ...DEVNET_NODE_METHODS,
  ...DEVNET_STATE_METHODS,
  ...DEVNET_STORAGE_METHODS,
  ...ETH_BLOCK_METHODS,
  ...ETH_CALL_METHODS,
  ...ETH_CHAIN_METHODS,
  ...ETH_FEE_METHODS,
  ...ETH_LOG_METHODS,
  ...ETH_SENDING_METHODS,
  ...ETH_SIGNING_METHODS,
  ...ETH_SIMULATION_METHODS,
  ...ETH_STATE_METHODS,
  ...ETH_SUBSCRIPTION_METHODS,
  ...ETH_TRANSACTION_METHODS,
  ...NET_METHODS,
  ...PERSONAL_METHODS,
  ...RPC_METHODS,
  ...SELDOM_METHODS,
  ...TXPOOL_METHODS,
  ...WALLET_BUNDLE_METHODS,
  ...WALLET_METHODS,
  ...WEB3_METHODS,
}

/** Names used by code for Base, for OpenRPC, for other wallets or for other development nodes. */
const ALIASES: Readonly<Record<string, MethodName>> = {
  base_transactionStatus: 'chain_transactionStatus',
  erigon_getHeaderByNumber: 'eth_getHeaderByNumber',
  evm_setAccountBalance: 'anvil_setBalance',
  evm_setAccountCode: 'anvil_setCode',
  evm_setAccountNonce: 'anvil_setNonce',
  evm_setAccountStorageAt: 'anvil_setStorageAt',
  hardhat_autoImpersonateAccount: 'anvil_autoImpersonateAccount',
  hardhat_dealERC20: 'anvil_dealERC20',
  hardhat_dropAllTransactions: 'anvil_dropAllTransactions',
  'rpc.discover': 'rpc_discover',
  eth_signTypedData: 'eth_signTypedData_v4',
  eth_signTypedData_v3: 'eth_signTypedData_v4',
}

/** A method with its own name; an alias shares it. */
export type NamedMethod = Method & { readonly name: MethodName }

const named = (name: MethodName): NamedMethod => ({ ...METHODS[name], name })

const byName: ReadonlyMap<string, NamedMethod> = new Map([
  ...(Object.keys(METHODS) as MethodName[]).map((name): [string, NamedMethod] => [name, named(name)]),
  ...Object.entries(ALIASES).map(([alias, name]): [string, NamedMethod] => [alias, named(name)]),
])

/** The names of all methods, aliases included. */
export const METHOD_NAMES: readonly string[] = [...byName.keys()]

/** The method with that name or alias. */
export function findMethod(name: string): NamedMethod | undefined {
  return byName.get(name)
}
