import type { Hex, Quantity } from '#primitives/hex.ts'
import { type FactsOf, NOTHING } from '#rpc-types/method.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'

/**
 * Names that ganache began with and all development nodes have. Time means chain time. A method that needs another header
 * for the next block opens the pending block anew while it is untouched, and seals it first otherwise: what is pre-confirmed
 * does not change.
 */
export interface EvmMethods {
  /** Seals a block, with that timestamp if one is given, or `blocks` of them; `"0x0"`. */
  evm_mine: {
    params: [timestamp?: number | Quantity | { timestamp?: number | Quantity; blocks?: number | Quantity }]
    result: '0x0'
  }
  /**
   * Seals blocks as `evm_mine` does, at most 256; those blocks, oldest first, with their transactions and what each has
   * returned.
   */
  evm_mine_detailed: {
    params: [timestamp?: number | Quantity | { timestamp?: number | Quantity; blocks?: number | Quantity }]
    result: readonly RpcBlock<RpcMinedTransaction>[]
  }
  /** As `devnet_snapshot`. */
  evm_snapshot: { params: []; result: Quantity }
  /** As `devnet_revert`. */
  evm_revert: { params: [id: number | Quantity]; result: boolean }
  /** Moves chain time forward by that many seconds. Answers the seconds travelled in all. */
  evm_increaseTime: { params: [seconds: number | Quantity]; result: Quantity }
  /**
   * The next block has exactly that timestamp, and time continues from there. Every moment that a method takes may be in
   * seconds or in milliseconds since the Unix epoch: numbers above 2^40 are milliseconds.
   */
  evm_setNextBlockTimestamp: { params: [timestamp: number | Quantity]; result: null }
  /** Moves time on to a moment, in seconds or in milliseconds since the Unix epoch; the seconds travelled. */
  evm_setTime: { params: [time: number | Quantity]; result: Quantity }
  /** Gas limit of the next block and of all later ones. */
  evm_setBlockGasLimit: { params: [gasLimit: number | Quantity]; result: true }
  /**
   * Automine: each transaction is sealed at once in a block of its own, before its sender is answered, and blocks are at
   * least a second apart, unless they may share a second; the clock drives nothing. A transaction that cannot be executed
   * is refused, and one that has ended in an exception is an error with `data` `0x`. `false` ends it, and pauses the
   * chain: then only calls seal blocks, and `pending` is the block that a seal would make now of what waits in the pool.
   */
  evm_setAutomine: { params: [enabled: boolean]; result: true }
  /**
   * Time from block to block, counted from the start of the pending one, and `devnet_resume`; 0 is `evm_setAutomine` with
   * `false`, unless automine is on, after which a pending block that is empty starts anew. anvil counts in seconds and
   * Hardhat in milliseconds under this name, and viem sends either: below 100 it is seconds, from there on milliseconds.
   * Hardhat's `[min, max]` is refused.
   */
  evm_setIntervalMining: { params: [interval: number | Quantity]; result: true }
}

export const EVM_FACTS = {
  evm_mine: { effect: 'changes', subject: NOTHING, guest: 'never' },
  evm_mine_detailed: { effect: 'changes', subject: NOTHING, guest: 'never', aliases: ['anvil_mine_detailed'] },
  evm_snapshot: { effect: 'changes', subject: NOTHING, guest: 'never' },
  evm_revert: { effect: 'changes', subject: NOTHING, guest: 'never' },
  evm_increaseTime: { effect: 'changes', subject: NOTHING, guest: 'never' },
  evm_setNextBlockTimestamp: { effect: 'changes', subject: NOTHING, guest: 'never' },
  evm_setTime: { effect: 'changes', subject: NOTHING, guest: 'never' },
  evm_setBlockGasLimit: { effect: 'changes', subject: NOTHING, guest: 'never' },
  evm_setAutomine: { effect: 'changes', subject: NOTHING, guest: 'never' },
  evm_setIntervalMining: { effect: 'changes', subject: NOTHING, guest: 'never' },
} as const satisfies FactsOf<EvmMethods>

/** A transaction with what it has returned. */
export type RpcMinedTransaction = RpcTransaction & {
  /** Return data, revert data, or the code of the created contract; not of a transaction that ended in an exception. */
  readonly output?: Hex
  /** The reason of `Error(string)` or the meaning of `Panic(uint256)`, of a transaction that has reverted with one. */
  readonly revertReason?: string
}
