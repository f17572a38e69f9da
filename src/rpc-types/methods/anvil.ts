import type { Address, BytesMax32, Hash, Hex, Quantity } from '#primitives/hex.ts'
import { type FactsOf, NOTHING, own } from '#rpc-types/method.ts'
import type { RpcCall } from '#rpc-types/objects.ts'
import type { AnvilStateDump, StateDump } from '#rpc-types/state-dump.ts'

/**
 * anvil's own names, answered as anvil answers them. A method that edits the state seals the pending block with the edit, as
 * it is and without taking anything from the pool: the edit is then seen at `latest` as well as at `pending`, and every
 * header still has the root of its state. Each such call thus adds a block. Quantities may be numbers, decimal or hexadecimal text.
 */
export interface AnvilMethods {
  /** Sets a balance in wei. */
  anvil_setBalance: { params: [account: Address, wei: number | string]; result: null }
  /** Adds wei to a balance. */
  anvil_addBalance: { params: [account: Address, wei: number | string]; result: null }
  /** Sets the nonce, lower or higher; pooled transactions that no longer fit are dropped. */
  anvil_setNonce: { params: [account: Address, nonce: number | string]; result: null }
  /** Sets the code. */
  anvil_setCode: { params: [account: Address, code: Hex]; result: null }
  /** Sets one slot to 32 bytes. */
  anvil_setStorageAt: { params: [account: Address, slot: number | BytesMax32, value: BytesMax32]; result: true }
  /**
   * Sets an account's balance of an ERC-20 token: the slot that `balanceOf` answers from, which is found by trying. An error,
   * if the answer is computed from what slots hold.
   */
  anvil_dealERC20: { params: [account: Address, token: Address, amount: number | string]; result: null }
  /** Sets what a spender may take of an owner's tokens; as `anvil_dealERC20`. */
  anvil_setERC20Allowance: {
    params: [owner: Address, spender: Address, token: Address, amount: number | string]
    result: null
  }
  /** Lets `eth_sendTransaction` send for an account without its key. */
  anvil_impersonateAccount: { params: [account: Address]; result: null }
  /** Ends what `anvil_impersonateAccount` began. */
  anvil_stopImpersonatingAccount: { params: [account: Address]; result: null }
  /** Whether every account counts as impersonated. */
  anvil_autoImpersonateAccount: { params: [enabled: boolean]; result: null }
  /**
   * Seals blocks (default 1) at once, the first with what the pool has ready. With an interval above 0 each is that many
   * seconds later than the one before, and time moves with them.
   */
  anvil_mine: { params: [blocks?: number | Quantity, intervalSeconds?: number | Quantity]; result: null }
  /** As `evm_setAutomine`. */
  anvil_setAutomine: { params: [enabled: boolean]; result: null }
  /** Whether automine is on. */
  anvil_getAutomine: { params: []; result: boolean }
  /** As `evm_setIntervalMining`, always in seconds. */
  anvil_setIntervalMining: { params: [seconds: number | Quantity]; result: null }
  /** Seconds from block to block; `null` while the chain is paused. */
  anvil_getIntervalMining: { params: []; result: number | null }
  /** As `devnet_snapshot`. */
  anvil_snapshot: { params: []; result: Quantity }
  /** As `devnet_revert`. */
  anvil_revert: { params: [id: number | Quantity]; result: boolean }
  /** As `evm_increaseTime`. */
  anvil_increaseTime: { params: [seconds: number | Quantity]; result: Quantity }
  /** As `evm_setNextBlockTimestamp`. */
  anvil_setNextBlockTimestamp: { params: [timestamp: number | Quantity]; result: null }
  /** As `evm_setTime`. */
  anvil_setTime: { params: [time: number | Quantity]; result: Quantity }
  /**
   * Sets the seconds between the timestamps of a block and its parent, whatever the time. 0 gives every block the timestamp
   * of its parent, and lets blocks share a second from then on, also without an interval.
   */
  anvil_setBlockTimestampInterval: { params: [seconds: number | Quantity]; result: null }
  /** Whether there was an interval to remove. */
  anvil_removeBlockTimestampInterval: { params: []; result: boolean }
  /** As `evm_setBlockGasLimit`. */
  anvil_setBlockGasLimit: { params: [gasLimit: number | Quantity]; result: true }
  /** Wei per gas, of the next block alone. */
  anvil_setNextBlockBaseFeePerGas: { params: [baseFee: number | string]; result: null }
  /** Sets the value that PREVRANDAO answers in the next block only. */
  anvil_setNextBlockPrevRandao: { params: [value: Hash]; result: null }
  /** Fee recipient of the next block and of all later ones. */
  anvil_setCoinbase: { params: [account: Address]; result: null }
  /** Refused, as by anvil: not supported when EIP-1559 is active. */
  anvil_setMinGasPrice: { params: [gasPrice: number | string]; result: null }
  /** Takes a transaction out of the pool; its hash, or `null` if it is not there. What is pre-confirmed stays. */
  anvil_dropTransaction: { params: [hash: Hash]; result: Hash | null }
  /** Empties the pool. */
  anvil_dropAllTransactions: { params: []; result: null }
  /** Takes the transactions of one sender out of the pool. */
  anvil_removePoolTransactions: { params: [sender: Address]; result: null }
  /** The state at `pending`: the JSON of `devnet_exportState`, as the hexadecimal digits of its characters. */
  anvil_dumpState: { params: [preserveHistoricalStates?: boolean]; result: Hex }
  /** Adds accounts to the state: what `anvil_dumpState` gave, here or, unpacked, at anvil; also as JSON. */
  anvil_loadState: { params: [state: Hex | StateDump | AnvilStateDump]; result: true }
  /** The chain's settings and where it stands. */
  anvil_nodeInfo: { params: []; result: AnvilNodeInfo }
  /** The node's version, its newest block, and its snapshots. */
  anvil_metadata: { params: []; result: AnvilMetadata }
  /**
   * Starts over: with `forking` as a fork (by default of the same chain, after its newest block), without it as a chain
   * that is no fork. Only in the server, where the chain is in memory.
   */
  anvil_reset: { params: [options?: ResetOptions]; result: null }
  /** Fetches what a fork lacks from another endpoint of the same chain. */
  anvil_setRpcUrl: { params: [url: string]; result: null }
  /** Whether the node reports to its host's log. */
  anvil_setLoggingEnabled: { params: [enabled: boolean]; result: null }
  /** Refused: a chain keeps the id that it began with. */
  anvil_setChainId: { params: [chainId: number | Quantity]; result: null }
  /** Timestamp of the chain's first block, in seconds since the Unix epoch; a fork's is that of the block it continues. */
  anvil_getGenesisTime: { params: []; result: number }
  /** `null`: there are no blob transactions. */
  anvil_getBlobByHash: { params: [versionedHash: Hash]; result: null }
  /** `null`: there are no blob transactions. */
  anvil_getBlobsByTransactionHash: { params: [hash: Hash]; result: null }
  /**
   * Reverts the newest `depth` sealed blocks, at most 100,000, and the pending block; their transactions are lost. As many
   * blocks take their place. The given transactions, at most 1,000, go into the one with their number, counted from 0;
   * unsigned ones are signed by the node. What waits in the pool goes into the first. If a transaction is refused then, the
   * blocks are made without it, and the error is that of the first one.
   */
  anvil_reorg: {
    params: [depth: number | Quantity, transactions?: readonly (readonly [transaction: Hex | RpcCall, block: number])[]]
    result: null
  }
  /** Reverts sealed blocks (default 1) and the pending block; their transactions are lost. */
  anvil_rollback: { params: [depth?: number | Quantity]; result: null }
}

export const ANVIL_FACTS = {
  anvil_setBalance: {
    effect: 'changes',
    subject: NOTHING,
    guest: 'never',
    aliases: ['evm_setAccountBalance', 'tenderly_setBalance'],
  },
  anvil_addBalance: {
    effect: 'changes',
    subject: NOTHING,
    guest: 'never',
    aliases: ['hardhat_addBalance', 'tenderly_addBalance'],
  },
  anvil_setNonce: { effect: 'changes', subject: NOTHING, guest: 'never', aliases: ['evm_setAccountNonce'] },
  anvil_setCode: { effect: 'changes', subject: NOTHING, guest: 'never', aliases: ['evm_setAccountCode'] },
  anvil_setStorageAt: { effect: 'changes', subject: NOTHING, guest: 'never', aliases: ['evm_setAccountStorageAt'] },
  anvil_dealERC20: {
    effect: 'changes',
    subject: NOTHING,
    guest: 'never',
    aliases: ['hardhat_dealERC20', 'anvil_setERC20Balance'],
  },
  anvil_setERC20Allowance: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_impersonateAccount: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_stopImpersonatingAccount: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_autoImpersonateAccount: {
    effect: 'changes',
    subject: NOTHING,
    guest: 'never',
    aliases: ['hardhat_autoImpersonateAccount'],
  },
  anvil_mine: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setAutomine: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_getAutomine: { effect: 'reads', subject: NOTHING, guest: 'never' },
  anvil_setIntervalMining: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_getIntervalMining: { effect: 'reads', subject: NOTHING, guest: 'never' },
  anvil_snapshot: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_revert: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_increaseTime: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setNextBlockTimestamp: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setTime: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setBlockTimestampInterval: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_removeBlockTimestampInterval: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setBlockGasLimit: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setNextBlockBaseFeePerGas: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setNextBlockPrevRandao: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setCoinbase: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setMinGasPrice: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_dropTransaction: { effect: 'changes', subject: own('changes'), guest: 'never' },
  anvil_dropAllTransactions: {
    effect: 'changes',
    subject: NOTHING,
    guest: 'never',
    aliases: ['hardhat_dropAllTransactions'],
  },
  anvil_removePoolTransactions: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_dumpState: { effect: 'exports', subject: NOTHING, guest: 'never' },
  anvil_loadState: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_nodeInfo: { effect: 'reads', subject: NOTHING, guest: 'never' },
  anvil_metadata: { effect: 'reads', subject: NOTHING, guest: 'never' },
  anvil_reset: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setRpcUrl: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setLoggingEnabled: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_setChainId: { effect: 'changes', subject: NOTHING, guest: 'never' },
  anvil_getGenesisTime: { effect: 'reads', subject: NOTHING, guest: 'never' },
  anvil_getBlobByHash: { effect: 'reads', subject: NOTHING, guest: 'never' },
  anvil_getBlobsByTransactionHash: { effect: 'reads', subject: NOTHING, guest: 'never' },
  anvil_reorg: { effect: 'changes', subject: own('changes'), guest: 'never' },
  anvil_rollback: { effect: 'changes', subject: NOTHING, guest: 'never' },
} as const satisfies FactsOf<AnvilMethods>

export interface ResetOptions {
  readonly forking?: { readonly jsonRpcUrl?: string | null; readonly blockNumber?: number | Quantity | null } | null
}

export interface AnvilNodeInfo {
  readonly currentBlockNumber: Quantity
  /** Seconds since the Unix epoch. */
  readonly currentBlockTimestamp: number
  readonly currentBlockHash: Hash
  readonly hardFork: string
  readonly transactionOrder: 'fees'
  readonly environment: {
    readonly baseFee: Quantity
    /** A number, as in anvil. */
    readonly chainId: number
    readonly gasLimit: Quantity
    readonly gasPrice: Quantity
  }
  readonly forkConfig: {
    /** Host of the endpoint: its address may hold a key. */
    readonly forkUrl: string | null
    readonly forkBlockNumber: number | null
    readonly forkRetryBackoff: null
  }
}

export interface HardhatMetadata {
  readonly clientVersion: string
  readonly chainId: number
  /** 32 bytes; another one after each start and each reset. */
  readonly instanceId: Hash
  readonly latestBlockNumber: number
  readonly latestBlockHash: Hash
}

/** The chain that this one continues, and after which of its blocks. */
export interface AnvilForkedNetwork {
  readonly chainId: number
  readonly forkBlockNumber: number
  readonly forkBlockHash: Hash
}

export interface AnvilMetadata extends HardhatMetadata {
  readonly forkedNetwork: AnvilForkedNetwork | null
  /** By id: the head at the time. */
  readonly snapshots: Readonly<Record<Quantity, readonly [number: number, hash: Hash]>>
}
