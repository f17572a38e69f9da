import { extendProvider } from '#client/session/provider.ts'
import type { AbiLike } from '#expect/abi-types.ts'
import { type Mock, type MockedContract, mockContract } from '#expect/mock-contract.ts'
import type { Chain } from '#library/chain.ts'
import type { Hash, Quantity } from '#primitives/hex.ts'
import type { PlannedFailure, TransactionTimeline, Withdrawal, WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import type { ResultOf } from '#rpc-types/methods.ts'
import type { NamedSnapshots } from './named-snapshots.ts'

/**
 * The chain of a test, with faults on demand. `tick`, `seal`, `dropPartialBlocks`, `withdrawNext` and `reorg` first wait
 * until the dapp is idle, for a second at most: a click just before has reached the mempool.
 */
export interface TestChain extends Chain {
  /** Where it listens for HTTP and WebSocket, and shows itself to browsers: `http://127.0.0.1:41234`. */
  readonly url: string
  /**
   * Takes a snapshot of the chain, its pool and its time. Resolves with the id for `revert`.
   *
   * @param name - With a name it stays when the chain goes back to it, and in the tests that follow in this worker process.
   */
  snapshot(name?: string): Promise<Quantity>
  /**
   * Goes back to a snapshot: by its id, which uses it and all later ones up, or by its name.
   *
   * @throws {Error} If there is none, with why.
   */
  revert(snapshot: string): Promise<true>
  /** Has some functions of a contract answer as the test says; all others run as before. */
  mock<const Abi extends AbiLike>(contract: MockedContract<Abi>): Mock<Abi>
  /** Withdraws the newest partial blocks of the pending block (default 1): their transactions wait again, or are lost. */
  dropPartialBlocks(count?: number, fate?: WithdrawnFate): Promise<ResultOf<'devnet_dropPartialBlocks'>>
  /** Withdraws pre-confirmed transactions once: those of the newest partial block that holds any, now or later. */
  withdrawNext(fate?: WithdrawnFate): Promise<Withdrawal | null>
  /** Reverts the newest sealed blocks (default 1) and the pending block: their transactions wait again, or are lost. */
  reorg(depth?: number, fate?: WithdrawnFate): Promise<ResultOf<'devnet_reorg'>>
  /** Makes coming calls fail, or late. */
  failNext(failure: PlannedFailure): Promise<true>
  /** The next ticks pre-confirm nothing. */
  stallPartialBlocks(ticks: number): Promise<true>
  /** Delays the seal of the pending block, by milliseconds of chain time. */
  delaySeal(ms: number): Promise<true>
  /** What has happened to a transaction; `null` if the chain has never seen it. */
  timeline(hash: Hash): Promise<TransactionTimeline | null>
}

/** What a test's chain has besides the view that it is on. */
export interface TestChainParts {
  readonly url: string
  readonly snapshots: NamedSnapshots
  /** Resolves when the dapp has done what it has begun. */
  readonly settled: () => Promise<void>
  /** Who has the chain go on, in its place: a fate that is played on it. */
  readonly clock?: Pick<Chain, 'tick' | 'seal'> | undefined
}

/** The chain of a test on a view of a chain. */
export function testChain(chain: Chain, { url, snapshots, settled, clock = chain }: TestChainParts): TestChain {
  return extendProvider<TestChain>(chain, {
    ...chain,
    url,
    snapshot: (name) => (name === undefined ? chain.snapshot() : snapshots.take(name)),
    revert: (snapshot) => (isId(snapshot) ? chain.revert(snapshot) : snapshots.revert(snapshot)),
    mock: (contract) => mockContract(chain, contract),
    async tick(n) {
      await settled()
      return clock.tick(n)
    },
    async seal() {
      await settled()
      return clock.seal()
    },
    async dropPartialBlocks(count = 1, fate = 'requeue') {
      await settled()
      return chain.request({ method: 'devnet_dropPartialBlocks', params: [count, fate] })
    },
    async withdrawNext(fate = 'requeue') {
      await settled()
      return chain.request({ method: 'devnet_withdrawNext', params: [fate] })
    },
    async reorg(depth = 1, fate = 'requeue') {
      await settled()
      return chain.request({ method: 'devnet_reorg', params: [depth, fate] })
    },
    failNext: (failure) => chain.request({ method: 'devnet_failNext', params: [failure] }),
    stallPartialBlocks: (ticks) => chain.request({ method: 'devnet_stallPartialBlocks', params: [ticks] }),
    delaySeal: (ms) => chain.request({ method: 'devnet_delaySeal', params: [ms] }),
    timeline: (hash) => chain.request({ method: 'devnet_getTransactionTimeline', params: [hash] }),
  })
}

function isId(snapshot: string): snapshot is Quantity {
  return /^0x[\da-f]+$/i.test(snapshot)
}
