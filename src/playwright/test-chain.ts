import { extendProvider } from '#client/session/provider.ts'
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
}

/** The chain of a test on a view of a chain. */
export function testChain(chain: Chain, { url, snapshots, settled }: TestChainParts): TestChain {
  return extendProvider<TestChain>(chain, {
    ...chain,
    url,
    snapshot: (name) => (name === undefined ? chain.snapshot() : snapshots.take(name)),
    revert: (snapshot) => (isId(snapshot) ? chain.revert(snapshot) : snapshots.revert(snapshot)),
    async tick(n) {
      await settled()
      return chain.tick(n)
    },
    async seal() {
      await settled()
      return chain.seal()
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
    timeline: (hash) => timelineOf(chain, hash),
  })
}

function isId(snapshot: string): snapshot is Quantity {
  return /^0x[\da-f]+$/i.test(snapshot)
}

/** What has happened to a transaction; `null` if the chain has never seen it. */
export function timelineOf(chain: Pick<Chain, 'request'>, hash: Hash): Promise<TransactionTimeline | null> {
  return chain.request({ method: 'devnet_getTransactionTimeline', params: [hash] })
}

/** What has happened to a transaction, a line each, in milliseconds since it was received. */
export function describeTimeline(hash: Hash, timeline: TransactionTimeline | null): string {
  if (!timeline) return `${hash}: the chain has never seen it`
  const [first] = timeline.events
  const lines = timeline.events.map((event) => {
    const at = `+${Math.round(event.atMs - (first?.atMs ?? event.atMs))} ms`.padStart(12)
    switch (event.kind) {
      case 'preconfirmed':
        return `${at}  pre-confirmed in block ${Number(event.blockNumber)}, partial block ${event.index}: ${event.status}`
      case 'sealed':
        return `${at}  sealed in block ${Number(event.blockNumber)}`
      case 'withdrawn':
        return `${at}  pre-confirmation withdrawn, ${event.requeued ? 'waits again' : 'lost'}`
      case 'dropped':
        return `${at}  dropped: ${event.reason}`
      case 'replaced':
        return `${at}  replaced by ${event.by}`
      default:
        return `${at}  received`
    }
  })
  return [hash, ...lines].join('\n')
}
