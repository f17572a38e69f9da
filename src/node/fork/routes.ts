import type { MethodName } from '#rpc-types/methods.ts'

/** What an answer of the endpoint may be. `numbered` is an object that says which block it is, or is of. */
export type AnswerShape = 'any' | 'boolean' | 'list' | 'numbered' | 'object' | 'text'

/** Why a method about a block or a transaction does not look beyond the fork. */
type OwnReason =
  /** It changes this chain. */
  | 'changes'
  /** It is about what this node was sent, and when. */
  | 'submission'
  /** It executes step by step; no other node answers in this form. */
  | 'steps'
  /** It is about events to come. */
  | 'coming'

/**
 * What a method is about, which decides who answers it on a fork: the endpoint for what is up to the fork's block, this
 * chain for what comes after it. What the endpoint has after that block does not exist here.
 */
export type ForkRoute =
  /** No block, state or transaction is among its parameters, or only those that this node has. */
  | { readonly about: 'nothing' }
  | { readonly about: 'own'; readonly why: OwnReason }
  /** A block, at that place among its parameters. */
  | {
      readonly about: 'block'
      readonly at: number
      readonly by: 'hash' | 'number' | 'either'
      readonly answers: AnswerShape
    }
  /**
   * The state after a block, at that place among its parameters, or in that member of what is there. That of the fork's
   * block is here.
   */
  | {
      readonly about: 'state'
      readonly at: number
      readonly member?: string
      readonly answers: AnswerShape
    }
  /** A transaction, whose hash is the first parameter. */
  | { readonly about: 'transaction'; readonly answers: AnswerShape }
  /** The logs that a query selects, its only parameter. */
  | { readonly about: 'logs' }
  /** The fees of a range of blocks, whose newest is the second parameter. */
  | { readonly about: 'fees' }
  /** Blocks of both sides: `joined-methods.ts` has a function for it. */
  | { readonly about: 'both'; readonly answers: AnswerShape }

const NOTHING = { about: 'nothing' } as const
const LOGS = { about: 'logs' } as const
const FEES = { about: 'fees' } as const
const CHANGES = { about: 'own', why: 'changes' } as const
const SUBMISSION = { about: 'own', why: 'submission' } as const
const STEPS = { about: 'own', why: 'steps' } as const
const COMING = { about: 'own', why: 'coming' } as const
const byNumber = (answers: AnswerShape) => ({ about: 'block', at: 0, by: 'number', answers }) as const
const byHash = (answers: AnswerShape) => ({ about: 'block', at: 0, by: 'hash', answers }) as const
const byEither = (answers: AnswerShape) => ({ about: 'block', at: 0, by: 'either', answers }) as const
const state = (at: number, answers: AnswerShape) => ({ about: 'state', at, answers }) as const
const both = (answers: AnswerShape) => ({ about: 'both', answers }) as const
const transaction = (answers: AnswerShape) => ({ about: 'transaction', answers }) as const

/** The route of every method of the contract. Does not compile while a method has no line. */
export const FORK_ROUTES = {
  anvil_setBalance: NOTHING,
  anvil_addBalance: NOTHING,
  anvil_setNonce: NOTHING,
  anvil_setCode: NOTHING,
  anvil_setStorageAt: NOTHING,
  anvil_dealERC20: NOTHING,
  anvil_setERC20Allowance: NOTHING,
  anvil_impersonateAccount: NOTHING,
  anvil_stopImpersonatingAccount: NOTHING,
  anvil_autoImpersonateAccount: NOTHING,
  anvil_mine: NOTHING,
  anvil_setAutomine: NOTHING,
  anvil_getAutomine: NOTHING,
  anvil_setIntervalMining: NOTHING,
  anvil_getIntervalMining: NOTHING,
  anvil_snapshot: NOTHING,
  anvil_revert: NOTHING,
  anvil_increaseTime: NOTHING,
  anvil_setNextBlockTimestamp: NOTHING,
  anvil_setTime: NOTHING,
  anvil_setBlockTimestampInterval: NOTHING,
  anvil_removeBlockTimestampInterval: NOTHING,
  anvil_setBlockGasLimit: NOTHING,
  anvil_setNextBlockBaseFeePerGas: NOTHING,
  anvil_setCoinbase: NOTHING,
  anvil_setMinGasPrice: NOTHING,
  anvil_dropTransaction: CHANGES,
  anvil_dropAllTransactions: NOTHING,
  anvil_removePoolTransactions: NOTHING,
  anvil_dumpState: NOTHING,
  anvil_loadState: NOTHING,
  anvil_nodeInfo: NOTHING,
  anvil_metadata: NOTHING,
  anvil_reset: NOTHING,
  anvil_setRpcUrl: NOTHING,
  anvil_setLoggingEnabled: NOTHING,
  anvil_reorg: CHANGES,
  anvil_rollback: NOTHING,
  chain_transactionStatus: SUBMISSION,
  debug_getRawTransaction: transaction('text'),
  debug_getRawHeader: byEither('text'),
  debug_getRawBlock: byEither('text'),
  debug_getRawReceipts: byEither('list'),
  debug_traceTransaction: transaction('any'),
  debug_traceBlockByNumber: byNumber('list'),
  debug_traceBlockByHash: byEither('list'),
  debug_traceCall: state(1, 'any'),
  debug_storageRangeAt: byEither('object'),
  devnet_status: NOTHING,
  devnet_tick: NOTHING,
  devnet_pause: NOTHING,
  devnet_resume: NOTHING,
  devnet_setSpeed: NOTHING,
  devnet_faucet: NOTHING,
  devnet_getTransactionTimeline: SUBMISSION,
  devnet_seal: NOTHING,
  devnet_setTiming: NOTHING,
  devnet_dropPartialBlocks: NOTHING,
  devnet_withdrawNext: CHANGES,
  devnet_reorg: NOTHING,
  devnet_stallPartialBlocks: NOTHING,
  devnet_delaySeal: NOTHING,
  devnet_failNext: NOTHING,
  devnet_snapshot: NOTHING,
  devnet_revert: NOTHING,
  devnet_reset: NOTHING,
  devnet_exportState: NOTHING,
  devnet_importState: NOTHING,
  devnet_getStorage: NOTHING,
  devnet_exportChain: NOTHING,
  devnet_importChain: NOTHING,
  devnet_cancelImport: NOTHING,
  devnet_startChain: NOTHING,
  devnet_forgetSnapshots: NOTHING,
  devnet_getMoments: NOTHING,
  devnet_showMoment: NOTHING,
  devnet_traceExecution: STEPS,
  devnet_getConsoleLogs: STEPS,
  devnet_getStackTrace: STEPS,
  devnet_getBuild: NOTHING,
  devnet_traceSteps: STEPS,
  devnet_traceStorage: STEPS,
  eth_chainId: NOTHING,
  eth_blockNumber: NOTHING,
  eth_syncing: NOTHING,
  eth_config: NOTHING,
  eth_capabilities: NOTHING,
  eth_coinbase: NOTHING,
  eth_accounts: NOTHING,
  eth_requestAccounts: NOTHING,
  eth_gasPrice: NOTHING,
  eth_maxPriorityFeePerGas: NOTHING,
  eth_baseFee: NOTHING,
  eth_blobBaseFee: NOTHING,
  eth_feeHistory: FEES,
  eth_getBlockByNumber: byNumber('numbered'),
  eth_getBlockByHash: byHash('numbered'),
  eth_getHeaderByNumber: byNumber('numbered'),
  eth_getHeaderByHash: byHash('numbered'),
  eth_getBlockTransactionCountByNumber: byNumber('text'),
  eth_getBlockTransactionCountByHash: byHash('text'),
  eth_getBlockReceipts: byEither('list'),
  eth_getUncleCountByBlockNumber: byNumber('text'),
  eth_getUncleCountByBlockHash: byHash('text'),
  eth_getUncleByBlockNumberAndIndex: byNumber('object'),
  eth_getUncleByBlockHashAndIndex: byHash('object'),
  eth_getTransactionByHash: transaction('numbered'),
  eth_getTransactionBySenderAndNonce: both('numbered'),
  eth_pendingTransactions: NOTHING,
  eth_getTransactionReceipt: transaction('numbered'),
  eth_getTransactionByBlockNumberAndIndex: byNumber('numbered'),
  eth_getTransactionByBlockHashAndIndex: byHash('numbered'),
  eth_getRawTransactionByHash: transaction('text'),
  eth_getRawTransactionByBlockNumberAndIndex: byNumber('text'),
  eth_getRawTransactionByBlockHashAndIndex: byHash('text'),
  eth_getBalance: state(1, 'text'),
  eth_getTransactionCount: state(1, 'text'),
  eth_getCode: state(1, 'text'),
  eth_getStorageAt: state(2, 'text'),
  eth_getStorageValues: state(1, 'object'),
  eth_getProof: state(2, 'object'),
  eth_call: state(1, 'text'),
  eth_callMany: { ...state(1, 'list'), member: 'blockNumber' },
  eth_estimateGas: state(1, 'text'),
  eth_createAccessList: state(1, 'object'),
  eth_simulateV1: state(1, 'list'),
  eth_sendRawTransaction: NOTHING,
  eth_sendRawTransactionSync: NOTHING,
  eth_sendTransaction: NOTHING,
  eth_sendTransactionSync: NOTHING,
  eth_sendUnsignedTransaction: NOTHING,
  eth_fillTransaction: NOTHING,
  eth_signTransaction: NOTHING,
  eth_sign: NOTHING,
  eth_signTypedData_v4: NOTHING,
  eth_getLogs: LOGS,
  eth_newFilter: COMING,
  eth_newBlockFilter: NOTHING,
  eth_newPendingTransactionFilter: NOTHING,
  eth_getFilterChanges: NOTHING,
  eth_getFilterLogs: NOTHING,
  eth_uninstallFilter: NOTHING,
  eth_subscribe: COMING,
  eth_unsubscribe: NOTHING,
  evm_mine: NOTHING,
  evm_snapshot: NOTHING,
  evm_revert: NOTHING,
  evm_increaseTime: NOTHING,
  evm_setNextBlockTimestamp: NOTHING,
  evm_setTime: NOTHING,
  evm_setBlockGasLimit: NOTHING,
  evm_setAutomine: NOTHING,
  evm_setIntervalMining: NOTHING,
  hardhat_setBalance: NOTHING,
  hardhat_setNonce: NOTHING,
  hardhat_setCode: NOTHING,
  hardhat_setStorageAt: NOTHING,
  hardhat_impersonateAccount: NOTHING,
  hardhat_stopImpersonatingAccount: NOTHING,
  hardhat_mine: NOTHING,
  hardhat_setAutomine: NOTHING,
  hardhat_getAutomine: NOTHING,
  hardhat_setNextBlockBaseFeePerGas: NOTHING,
  hardhat_setCoinbase: NOTHING,
  hardhat_setPrevRandao: NOTHING,
  hardhat_setMinGasPrice: NOTHING,
  hardhat_dropTransaction: CHANGES,
  hardhat_metadata: NOTHING,
  hardhat_reset: NOTHING,
  hardhat_setLoggingEnabled: NOTHING,
  hardhat_dumpState: NOTHING,
  hardhat_loadState: NOTHING,
  hardhat_setBlockTimestampInterval: NOTHING,
  hardhat_removeBlockTimestampInterval: NOTHING,
  hardhat_addCompilationResult: NOTHING,
  hardhat_setRpcUrl: NOTHING,
  net_version: NOTHING,
  net_listening: NOTHING,
  net_peerCount: NOTHING,
  ots_getApiLevel: NOTHING,
  ots_hasCode: state(1, 'boolean'),
  ots_getInternalOperations: transaction('list'),
  ots_getTransactionError: transaction('text'),
  ots_traceTransaction: transaction('list'),
  ots_getBlockDetails: byNumber('object'),
  ots_getBlockDetailsByHash: byHash('object'),
  ots_getBlockTransactions: byNumber('object'),
  ots_searchTransactionsBefore: both('object'),
  ots_searchTransactionsAfter: both('object'),
  ots_getTransactionBySenderAndNonce: both('text'),
  ots_getContractCreator: both('object'),
  personal_sign: NOTHING,
  personal_ecRecover: NOTHING,
  rpc_discover: NOTHING,
  rpc_modules: NOTHING,
  trace_transaction: transaction('list'),
  trace_call: state(2, 'object'),
  trace_callMany: state(1, 'list'),
  trace_rawTransaction: NOTHING,
  trace_get: transaction('object'),
  trace_block: byEither('list'),
  trace_filter: both('list'),
  trace_replayTransaction: transaction('object'),
  trace_replayBlockTransactions: byEither('list'),
  txpool_content: NOTHING,
  txpool_status: NOTHING,
  txpool_inspect: NOTHING,
  txpool_contentFrom: NOTHING,
  wallet_addEthereumChain: NOTHING,
  wallet_switchEthereumChain: NOTHING,
  wallet_watchAsset: NOTHING,
  wallet_getPermissions: NOTHING,
  wallet_requestPermissions: NOTHING,
  wallet_getCapabilities: NOTHING,
  wallet_sendCalls: NOTHING,
  wallet_getCallsStatus: NOTHING,
  wallet_showCallsStatus: NOTHING,
  web3_clientVersion: NOTHING,
  web3_sha3: NOTHING,
} satisfies Readonly<Record<MethodName, ForkRoute>>

/** The methods about blocks of both sides. */
export type JoinedMethod = {
  [Name in MethodName]: (typeof FORK_ROUTES)[Name]['about'] extends 'both' ? Name : never
}[MethodName]
