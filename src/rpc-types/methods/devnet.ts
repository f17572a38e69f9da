// Longer than most files: a namespace stands in one file, with the facts of its methods beside them, as all that is derived
// from them reads it.
import type { Address, Hash, Quantity } from '#primitives/hex.ts'
import type {
  RpcAccountFilter,
  RpcAccountPage,
  RpcBlockFilter,
  RpcBlockPage,
  RpcListPlace,
  RpcLogListFilter,
  RpcTransactionFilter,
  RpcTransactionPage,
} from '#rpc-types/chain-lists.ts'
import type { RpcConsoleLogs } from '#rpc-types/console.ts'
import type { JsonRpcErrorObject } from '#rpc-types/envelope.ts'
import type {
  RpcExecutionSubject,
  RpcExecutionTrace,
  RpcStepWindow,
  RpcStorageTrace,
} from '#rpc-types/execution-trace.ts'
import { type FactsOf, NOTHING, own, TRANSACTION } from '#rpc-types/method.ts'
import type { AtomicStatus, ClockMode, NodeOptions } from '#rpc-types/node-options.ts'
import type { BlockSelector, RpcLog } from '#rpc-types/objects.ts'
import type { RpcBuild, RpcInitcode, RpcStackTrace } from '#rpc-types/stack-trace.ts'
import type { StateDump } from '#rpc-types/state-dump.ts'

/** A transaction's history; each `atMs` is milliseconds since the Unix epoch (with fractions), measured in the node. */
export interface TransactionTimeline {
  readonly hash: Hash
  readonly events: readonly TimelineEvent[]
}

export type TimelineEvent =
  | { readonly kind: 'received'; readonly atMs: number }
  | {
      readonly kind: 'preconfirmed'
      readonly atMs: number
      readonly blockNumber: Quantity
      /** Partial block index that first carried it. */
      readonly index: number
      readonly status: 'success' | 'reverted'
    }
  | { readonly kind: 'sealed'; readonly atMs: number; readonly blockNumber: Quantity; readonly blockHash: Hash }
  /** The transaction's partial or sealed block was withdrawn: it waits in the mempool again, or is lost. */
  | { readonly kind: 'withdrawn'; readonly atMs: number; readonly requeued: boolean }
  | { readonly kind: 'dropped'; readonly atMs: number; readonly reason: string }
  | { readonly kind: 'replaced'; readonly atMs: number; readonly by: Hash }

/** The partial blocks of one block. */
export interface DevnetPartialBlocks {
  readonly number: Quantity
  readonly hash: Hash
  /**
   * Number of transactions that each partial block added, from index 0 to the last one that added any; to the newest one
   * for the pending block.
   */
  readonly transactionsByPartial: readonly number[]
}

/** The faults that are in force. */
export interface DevnetFaults {
  /** Ticks that will still pre-confirm nothing. */
  readonly stalledTicks: number
  /** Delay of the pending block's seal, in milliseconds of chain time. */
  readonly sealDelayMs: number
  /** Oldest first; `times` is the number of calls that are left. */
  readonly failNext: readonly PlannedFailure[]
  /** Chains of an older build leave it out. */
  readonly withdrawal?: {
    /** Fate of the transactions of the next partial block that holds any; `null` if no withdrawal is planned. */
    readonly planned: WithdrawnFate | null
    /** The newest withdrawal by `devnet_withdrawNext`, with at most ten hashes; `count` is how many there were. */
    readonly latest: (Withdrawal & { readonly count: number }) | null
  }
}

/** Partial blocks that `devnet_withdrawNext` withdrew. */
export interface Withdrawal {
  /** 1 for the node's first withdrawal, 2 for its second. */
  readonly id: number
  /** Number of the block that they were in. */
  readonly number: Quantity
  /** Index of the oldest one. */
  readonly first: number
  /** Index of the newest one. */
  readonly last: number
  readonly fate: WithdrawnFate
  /** Transactions in them, oldest first. */
  readonly withdrawn: readonly Hash[]
}

/** Methods that take back what is planned, so that nobody plans it for good. */
export const ENDS_FAULTS: readonly string[] = ['devnet_failNext', 'devnet_reset']

/** Calls that are to fail or to be answered late. */
export interface PlannedFailure {
  /** Names as callers write them. */
  readonly methods: readonly string[]
  /** The error that the caller gets; without it the method runs, after `delayMs`. */
  readonly error?: JsonRpcErrorObject
  /** Milliseconds of real time, at most ten minutes. */
  readonly delayMs?: number
  /** Number of calls, of all these methods together; default 1. 0 cancels what was planned for these methods. */
  readonly times?: number
}

/** Fate of transactions whose block or partial block is withdrawn: back to the mempool, or lost. */
export type WithdrawnFate = 'requeue' | 'lose'

/** Result of `devnet_status`: the chain's settings and where it stands. */
export interface DevnetStatus {
  readonly clientVersion: string
  readonly chainId: Quantity
  readonly seed: number
  readonly mode: ClockMode
  /**
   * The options in force that differ from their defaults and change the blocks: the clock's mode, the numbers and whether
   * blocks may share a second, without the accounts. The chain of an older build leaves them out.
   */
  readonly options?: NodeOptions
  /** Whether no tick comes by the clock. */
  readonly paused: boolean
  /** Whether each transaction is sealed at once, in a block of its own; older nodes do not say. */
  readonly automine?: boolean
  /** There, and true, while a caller has turned automine and the clock off: `pending` then has what waits in the pool. */
  readonly minesOnRequest?: true
  /** What wallets say of bundles of calls (`devnet_setAtomicBundles`); left out for `unsupported`. */
  readonly atomic?: AtomicStatus
  /** Chain time over real time; 1 is real time. */
  readonly speed: number
  /** Timing of the pending block, as is the next. */
  readonly partialMs: number
  readonly partialsPerBlock: number
  /** The chain's present time, in milliseconds since the Unix epoch. */
  readonly chainTimeMs: number
  readonly head: { readonly number: Quantity; readonly hash: Hash }
  readonly live: {
    readonly number: Quantity
    readonly index: number
    /** Chain time at which the block is due to be sealed, in milliseconds. */
    readonly sealsAtMs: number
    /** Chain time of the next tick, in milliseconds. */
    readonly nextTickAtMs: number
    readonly transactionCount: number
    /** Number of them that each partial block brought, from index 0 to the newest. */
    readonly transactionsByPartial: readonly number[]
    readonly gasUsed: Quantity
    readonly gasLimit: Quantity
  }
  readonly pool: { readonly pending: number; readonly queued: number }
  /** Whether the chain is a film: read-only, at the moment that `devnet_showMoment` chose. Left out if it is none. */
  readonly film?: true
  /** The chain that this one continues, and after which of its blocks. Left out if there is none. */
  readonly fork?: DevnetFork
  readonly faults: DevnetFaults
  /** The development accounts, funded at genesis. */
  readonly accounts: readonly Address[]
}

/** A real chain that this one continues. */
export interface DevnetFork {
  /** Host of its endpoint. */
  readonly endpoint: string
  readonly chainId: Quantity
  /** The block after which this chain begins. */
  readonly number: Quantity
  readonly hash: Hash
  /**
   * Whether all that was fetched of its state was proven against that block, so that state roots are the true ones. If
   * not, its endpoint is taken at its word, and state roots are not those of the real chain.
   */
  readonly isProven: boolean
  /** Whether it was opened without its endpoint: what was fetched before is there, and anything else is refused. */
  readonly isOffline?: true
}

/** How far the import of a chain file is. */
export interface DevnetImport {
  /** Blocks are checked, then states, then partial blocks are executed; the last two happen twice. */
  readonly step: 'blocks' | 'states' | 'partial-blocks'
  readonly done: number
  readonly total: number
}

/** Result of `devnet_getStorage`: where the chain is kept, and how much room it takes. */
export interface DevnetStorage {
  /** `memory`: the chain ends with the node. */
  readonly kind: 'memory' | 'journal'
  /** Why the last write failed; until one succeeds, nothing that changes the chain is acknowledged. */
  readonly failure: { readonly code: string; readonly message: string } | null
  /** `null` in memory, and where the host does not say. */
  readonly usedBytes: number | null
  /** Bytes that the host grants; `null` if it sets no limit. */
  readonly quotaBytes: number | null
  /**
   * Bytes of blocks that are in memory; a stored chain has them leave it where they are more than `budget`, and reads them
   * again from where it is stored. `null`: all of them stay.
   */
  readonly blockMemory: { readonly used: number; readonly budget: number | null }
  /** Sealed blocks that can be read, block 0 included. */
  readonly blocks: number
  /** The newest blocks whose states are kept. */
  readonly statesKept: number
  /** Whether `devnet_importChain` and `devnet_startChain` work here. */
  readonly canImport: boolean
  /** While `devnet_importChain` checks a file. */
  readonly importing?: DevnetImport
}

/** Result of `devnet_getMoments`: the moments of a film, one for each partial block. They are counted from 0. */
export interface FilmMoments {
  /** How many there are; the last one is that at which the file was written. */
  readonly count: number
  /** The one that is shown. */
  readonly shown: number
  /** In order; together they have `count` partial blocks, at most 100 each. */
  readonly runs: readonly FilmRun[]
  /** Number of sealed blocks before the first moment that cannot be shown as pending: their states are not in the file. */
  readonly hiddenBlocks: number
}

/** Partial blocks of one block that follow each other. */
export interface FilmRun {
  readonly number: Quantity
  /** Index of the first one. */
  readonly first: number
  /** Number of transactions that each of them added. Those after the last one, up to the seal, added nothing. */
  readonly transactions: readonly number[]
  /**
   * Index of the first one of these whose transactions were taken back after the last one; left out if none were. The
   * next run of this block begins without them.
   */
  readonly takenFrom?: number
}

/** Result of `devnet_showMoment`. */
export interface ShownMoment {
  readonly moment: number
  /** Number of the pending block. */
  readonly number: Quantity
  readonly index: number
}

/** Blinknet's own: the clock, faults, the state, snapshots, and where the chain is kept. */
export interface DevnetMethods {
  /** The chain's settings and where it stands. */
  devnet_status: { params: []; result: DevnetStatus }
  /** Runs `n` ticks at once (default 1); the number of the pending block and its index afterwards. */
  devnet_tick: { params: [n?: number | Quantity]; result: { number: Quantity; index: number } }
  /** Stops the clock: nothing ticks by itself. `pending` then has what ticks have pre-confirmed, also with automine off. */
  devnet_pause: { params: []; result: true }
  /** Lets the clock run on. */
  devnet_resume: { params: []; result: true }
  /** Chain time over real time, above 0 up to 100. */
  devnet_setSpeed: { params: [factor: number]; result: true }
  /** Adds wei (default 100 ETH) to an account, visible at `pending` at once; the account's new balance. */
  devnet_faucet: { params: [address: Address, wei?: Quantity]; result: Quantity }
  /** When a transaction was received, pre-confirmed, sealed, withdrawn, dropped or replaced. */
  devnet_getTransactionTimeline: { params: [hash: Hash]; result: TransactionTimeline | null }
  /** Which partial block added how many of a block's transactions; `null` if the chain has no such block of its own. */
  devnet_getPartialBlocks: { params: [block: BlockSelector]; result: DevnetPartialBlocks | null }
  /**
   * Blocks of this chain, newest first, the live one included: at most `count` (default 50), from number `from` downwards.
   * The last page has `next` `null`; any other may have fewer than `count`, or none, as each call looks at 10,000 blocks at
   * most.
   */
  devnet_listBlocks: {
    params: [filter?: RpcBlockFilter, from?: Quantity, count?: number | Quantity]
    result: RpcBlockPage
  }
  /**
   * Pre-confirmed and sealed transactions of this chain, newest first: at most `count` (default 50) before a place. The last
   * page has `next` `null`; any other may have fewer than `count`, or none, as each call looks at some 10,000 transactions at
   * most.
   */
  devnet_listTransactions: {
    params: [filter?: RpcTransactionFilter, before?: RpcListPlace, count?: number | Quantity]
    result: RpcTransactionPage
  }
  /** Logs of this chain, newest first, those of the live block included; in pages as `devnet_listTransactions`. */
  devnet_listLogs: {
    params: [filter?: RpcLogListFilter, before?: RpcListPlace, count?: number | Quantity]
    result: { readonly logs: readonly RpcLog[]; readonly next: RpcListPlace | null }
  }
  /**
   * Accounts of the state at `pending`, in the order of its trie: at most `count` (default 50) after the one named. The last
   * page has `next` `null`; any other may have fewer than `count`, or none, as each call looks at 10,000 accounts at
   * most.
   */
  devnet_listAccounts: {
    params: [filter?: RpcAccountFilter, after?: Address, count?: number | Quantity]
    result: RpcAccountPage
  }
  /** Seals `n` blocks at once (default 1), each with what the pool has ready; the last of them. */
  devnet_seal: { params: [n?: number | Quantity]; result: { number: Quantity; hash: Hash } }
  /**
   * Milliseconds from tick to tick, ticks to a block, counted from the start of the pending block. Seals that block first if
   * it already has more partial blocks.
   */
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
  /**
   * The next `ticks` ticks pre-confirm nothing; 0 ends it. Blocks are sealed on time meanwhile, and those that have nothing
   * yet are sealed empty.
   */
  devnet_stallPartialBlocks: { params: [ticks: number | Quantity]; result: true }
  /** Delays the seal of the pending block by `ms` milliseconds of chain time; 0 cancels the delay. */
  devnet_delaySeal: { params: [ms: number | Quantity]; result: true }
  /** Makes coming calls fail, or late. */
  devnet_failNext: { params: [failure: PlannedFailure]; result: true }
  /**
   * What the node says of bundles of calls from now on, and does with them (EIP-5792, the capability `atomic`), until
   * {@link devnet_reset}. Accounts that are delegated already stay so.
   */
  devnet_setAtomicBundles: { params: [status: AtomicStatus]; result: true }
  /** Remembers the chain with its pool and its time; the id that {@link devnet_revert} takes. */
  devnet_snapshot: { params: []; result: Quantity }
  /** Goes back to a snapshot. That snapshot and later ones are used up. `false` if no snapshot has that id. */
  devnet_revert: { params: [id: number | Quantity]; result: boolean }
  /**
   * Starts over from block 0: nothing in the pool, no snapshots, faults or impersonations, the timing of the start. With a
   * snapshot it starts over from there, with the pool of that moment; that snapshot stays, and those in `kept`, no others.
   */
  devnet_reset: { params: [snapshot?: number | Quantity, kept?: readonly (number | Quantity)[]]; result: true }
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
  /**
   * Executes a sealed or pre-confirmed transaction, or a call, once more: its frames, the codes that ran, and where each
   * step stood and what gas it had.
   */
  devnet_traceExecution: { params: [subject: RpcExecutionSubject]; result: RpcExecutionTrace }
  /** What such an execution writes with `console.log`, once more. */
  devnet_getConsoleLogs: { params: [subject: RpcExecutionSubject]; result: RpcConsoleLogs }
  /** Where in the sources such an execution fails; `null` if it does not, or the node knows none of its contracts. */
  devnet_getStackTrace: { params: [subject: RpcExecutionSubject]; result: RpcStackTrace | null }
  /**
   * The compilation that an account's code comes from, as standard JSON; `null` if the node does not know it. That of a
   * contract whose creation failed is found by its initcode.
   */
  devnet_getBuild: { params: [of: Address | RpcInitcode]; result: RpcBuild | null }
  /** Steps of such an execution in full, from index `first` on; `count` is at most 1,024. */
  devnet_traceSteps: {
    params: [subject: RpcExecutionSubject, first: number | Quantity, count: number | Quantity]
    result: RpcStepWindow
  }
  /**
   * The slots that such an execution uses, step by step, and what it hashes. `slots` are more slots, by account, whose values
   * before the execution are told; at most 4,096.
   */
  devnet_traceStorage: {
    params: [subject: RpcExecutionSubject, slots?: Readonly<Record<Address, readonly Hash[]>>]
    result: RpcStorageTrace
  }
}

export const DEVNET_FACTS = {
  devnet_status: { effect: 'reads', subject: NOTHING, guest: 'call' },
  devnet_tick: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_pause: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_resume: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_setSpeed: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_faucet: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_getTransactionTimeline: { effect: 'reads', subject: own('submission'), guest: 'call' },
  devnet_getPartialBlocks: { effect: 'reads', subject: own('submission'), guest: 'call' },
  devnet_listBlocks: { effect: 'reads', subject: own('listed'), guest: 'heavy', example: [{ hasTransactions: true }] },
  devnet_listTransactions: {
    effect: 'reads',
    subject: own('listed'),
    guest: 'heavy',
    example: [{ status: 'success' }],
  },
  devnet_listLogs: { effect: 'reads', subject: own('listed'), guest: 'heavy', example: [{}] },
  devnet_listAccounts: { effect: 'reads', subject: own('listed'), guest: 'heavy', example: [{ isContract: true }] },
  devnet_seal: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_setTiming: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_dropPartialBlocks: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_withdrawNext: { effect: 'changes', subject: own('changes'), guest: 'never' },
  devnet_reorg: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_stallPartialBlocks: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_delaySeal: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_failNext: {
    effect: 'changes',
    subject: NOTHING,
    guest: 'never',
    example: [{ methods: ['eth_gasPrice'], delayMs: 500 }],
  },
  devnet_setAtomicBundles: { effect: 'changes', subject: NOTHING, guest: 'never', example: ['ready'] },
  devnet_snapshot: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_revert: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_reset: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_exportState: { effect: 'exports', subject: NOTHING, guest: 'never' },
  devnet_importState: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_getStorage: { effect: 'reads', subject: NOTHING, guest: 'never' },
  devnet_exportChain: { effect: 'exports', subject: NOTHING, guest: 'never' },
  devnet_importChain: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_cancelImport: { effect: 'session', subject: NOTHING, guest: 'never' },
  devnet_startChain: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_forgetSnapshots: { effect: 'changes', subject: NOTHING, guest: 'never' },
  devnet_getMoments: { effect: 'reads', subject: NOTHING, guest: 'never' },
  devnet_showMoment: { effect: 'session', subject: NOTHING, guest: 'never' },
  devnet_traceExecution: { effect: 'reads', subject: own('steps'), guest: 'never', example: [TRANSACTION] },
  devnet_getConsoleLogs: { effect: 'reads', subject: own('steps'), guest: 'never', example: [TRANSACTION] },
  devnet_getStackTrace: { effect: 'reads', subject: own('steps'), guest: 'never', example: [TRANSACTION] },
  devnet_getBuild: { effect: 'reads', subject: NOTHING, guest: 'never' },
  devnet_traceSteps: { effect: 'reads', subject: own('steps'), guest: 'never', example: [TRANSACTION, 0, 16] },
  devnet_traceStorage: { effect: 'reads', subject: own('steps'), guest: 'never', example: [TRANSACTION] },
} as const satisfies FactsOf<DevnetMethods>
