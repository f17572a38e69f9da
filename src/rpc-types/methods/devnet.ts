import type { Address, Hash, Quantity } from '#primitives/hex.ts'
import type {
  DevnetStatus,
  DevnetStorage,
  FilmMoments,
  PlannedFailure,
  ShownMoment,
  TransactionTimeline,
  Withdrawal,
  WithdrawnFate,
} from '#rpc-types/devnet.ts'
import type { ExamplesOf, RepeatableOf } from '#rpc-types/method.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { StateDump } from '#rpc-types/state-dump.ts'

/** Blinknet's own: the clock, faults, the state, snapshots, and where the chain is kept. */
export interface DevnetMethods {
  /** The chain's settings and where it stands. */
  devnet_status: { params: []; result: DevnetStatus }
  /** Runs `n` ticks at once (default 1); the number of the pending block and its index afterwards. */
  devnet_tick: { params: [n?: number | Quantity]; result: { number: Quantity; index: number } }
  /** Stops the clock: nothing ticks by itself. */
  devnet_pause: { params: []; result: true }
  /** Lets the clock run on. */
  devnet_resume: { params: []; result: true }
  /** Chain time over real time, above 0 up to 100. */
  devnet_setSpeed: { params: [factor: number]; result: true }
  /** Adds wei (default 100 ETH) to an account, visible at `pending` at once; the account's new balance. */
  devnet_faucet: { params: [address: Address, wei?: Quantity]; result: Quantity }
  /** When a transaction was received, pre-confirmed, sealed, withdrawn, dropped or replaced. */
  devnet_getTransactionTimeline: { params: [hash: Hash]; result: TransactionTimeline | null }
  /** Seals `n` blocks at once (default 1), each with what the pool has ready; the last of them. */
  devnet_seal: { params: [n?: number | Quantity]; result: { number: Quantity; hash: Hash } }
  /** Milliseconds from tick to tick, ticks to a block; holds from the next block on. */
  devnet_setTiming: { params: [timing: { partialMs?: number; partialsPerBlock?: number }]; result: true }
  /**
   * Withdraws the newest `n` partial blocks (default 1) of the pending block, at most all, with the direct edits of the state
   * that were made in them. Their transactions are pre-confirmed no longer: they wait again (default), or are lost.
   */
  devnet_dropPartialBlocks: {
    params: [n?: number | Quantity, fate?: WithdrawnFate]
    result: { number: Quantity; index: number; withdrawn: readonly Hash[] }
  }
  /**
   * Withdraws pre-confirmed transactions once. If the pending block holds transactions, at once: back to the newest partial
   * block that holds one of `prefer` (at most 1,000 hashes), else to the newest that holds any. If it holds none, the answer
   * is `null`, and the next partial block that holds transactions is withdrawn at the tick after it, always before the
   * seal. That tick pre-confirms nothing. Direct edits of the state that were made in the withdrawn partial blocks are lost. `none` cancels a planned withdrawal.
   */
  devnet_withdrawNext: {
    params: [fate?: WithdrawnFate | 'none', prefer?: readonly Hash[]]
    result: Withdrawal | null
  }
  /**
   * Reverts the newest `depth` sealed blocks (default 1) and the pending block, with the direct edits of the state that were
   * made in them. Their transactions wait again (default), or are lost. An error if there are fewer blocks above block 0.
   */
  devnet_reorg: {
    params: [depth?: number | Quantity, fate?: WithdrawnFate]
    result: { head: { number: Quantity; hash: Hash }; removed: readonly Hash[] }
  }
  /** The next `ticks` ticks pre-confirm nothing, while blocks are sealed on time; 0 ends it. */
  devnet_stallPartialBlocks: { params: [ticks: number | Quantity]; result: true }
  /** Delays the seal of the pending block by `ms` milliseconds of chain time; 0 cancels the delay. */
  devnet_delaySeal: { params: [ms: number | Quantity]; result: true }
  /** Makes coming calls fail, or late. */
  devnet_failNext: { params: [failure: PlannedFailure]; result: true }
  /** Remembers the chain with its pool and its time; the id that {@link devnet_revert} takes. */
  devnet_snapshot: { params: []; result: Quantity }
  /** Goes back to a snapshot. That snapshot and later ones are used up. `false` if no snapshot has that id. */
  devnet_revert: { params: [id: number | Quantity]; result: boolean }
  /** Starts over from block 0: nothing in the pool, no snapshots, faults or impersonations, the timing of the start. */
  devnet_reset: { params: []; result: true }
  /** The state at `pending`. */
  devnet_exportState: { params: []; result: StateDump }
  /**
   * Replaces the state; visible at `pending` at once and sealed with the pending block. The two system contracts keep what
   * they know of this chain.
   */
  devnet_importState: { params: [state: StateDump]; result: true }
  /** The chain's storage, and how much room it takes. */
  devnet_getStorage: { params: []; result: DevnetStorage }
  /** The whole chain as a file in Base64: blocks, state, pool and pending block, but no snapshots. */
  devnet_exportChain: { params: []; result: string }
  /**
   * Puts the chain of a file in the place of this one, which is lost; the file is checked before. The node starts again
   * with it, so that connections end.
   */
  devnet_importChain: { params: [file: string]; result: true }
  /**
   * Cancels the running import at its next pause; `false` if none runs, or its checks are over. The chain stays as it
   * was, and `devnet_importChain` is answered with an error.
   */
  devnet_cancelImport: { params: []; result: boolean }
  /**
   * Puts a new chain with these options (default: each its own) in the place of this one, which is lost; the options are
   * checked before. The node starts again with it, so that connections end.
   */
  devnet_startChain: { params: [options?: NodeOptions]; result: true }
  /** Forgets every snapshot, which frees what only they kept; how many there were. */
  devnet_forgetSnapshots: { params: []; result: number }
  /** The moments of a film; `null` if the chain is none. */
  devnet_getMoments: { params: []; result: FilmMoments | null }
  /** Makes a film's chain what it was at a moment, counted from 0: head, pending block, state. Every caller sees it. */
  devnet_showMoment: { params: [moment: number | Quantity]; result: ShownMoment }
}

export const DEVNET_REPEATABLE: RepeatableOf<DevnetMethods> = {
  devnet_status: true,
  devnet_tick: false,
  devnet_pause: false,
  devnet_resume: false,
  devnet_setSpeed: false,
  devnet_faucet: false,
  devnet_getTransactionTimeline: true,
  devnet_seal: false,
  devnet_setTiming: false,
  devnet_dropPartialBlocks: false,
  devnet_withdrawNext: false,
  devnet_reorg: false,
  devnet_stallPartialBlocks: false,
  devnet_delaySeal: false,
  devnet_failNext: false,
  devnet_snapshot: false,
  devnet_revert: false,
  devnet_reset: false,
  devnet_exportState: true,
  devnet_importState: false,
  devnet_getStorage: true,
  devnet_exportChain: true,
  devnet_importChain: false,
  devnet_cancelImport: true,
  devnet_startChain: false,
  devnet_forgetSnapshots: false,
  devnet_getMoments: true,
  devnet_showMoment: true,
}

export const DEVNET_EXAMPLES: ExamplesOf<DevnetMethods> = {
  devnet_failNext: () => [{ methods: ['eth_gasPrice'], delayMs: 500 }],
}
