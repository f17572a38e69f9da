import type { Hash, Quantity } from '#primitives/hex.ts'
import type { ResultOf } from '#rpc-types/methods.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import type { BlinknetProvider } from './provider.ts'
import { type TransactionStage, waitForStage } from './wait-for-stage.ts'

type Tick = ResultOf<'devnet_tick'>

/** What one does with a chain of one's own, in a line each: for the console, for tests and for other programs. */
export interface ChainTools {
  readonly request: BlinknetProvider['request']
  /** Runs `n` ticks at once (default 1); the live block afterwards. */
  tick(n?: number): Promise<Tick>
  /** Runs the ticks that are left until the live block is sealed; the live block after it. */
  seal(): Promise<Tick>
  /** No tick by the clock until `resume`. */
  pause(): Promise<true>
  resume(): Promise<true>
  /** Chain time over real time, above 0 up to 100. */
  setSpeed(factor: number): Promise<true>
  /** Remembers the chain with its pool and its time; the id for `revert`. */
  snapshot(): Promise<Quantity>
  /** Goes back to a snapshot, which is used up, as are later ones; false if there is none with that id. */
  revert(id: Quantity): Promise<boolean>
  /**
   * The receipt, once the transaction has reached that state.
   *
   * @throws {Error} If the node has never seen it, loses, drops or replaces it, or goes away.
   */
  readonly waitFor: (hash: Hash, stage: TransactionStage) => Promise<RpcReceipt>
}

/** The tools of the chain behind a provider. */
export function createChainTools(provider: BlinknetProvider): ChainTools {
  const tick = (n = 1) => provider.request({ method: 'devnet_tick', params: [n] })

  return {
    request: provider.request,
    tick,
    async seal() {
      const { live, partialsPerBlock } = await provider.request({ method: 'devnet_status' })
      return tick(partialsPerBlock - live.index)
    },
    pause: () => provider.request({ method: 'devnet_pause' }),
    resume: () => provider.request({ method: 'devnet_resume' }),
    setSpeed: (factor) => provider.request({ method: 'devnet_setSpeed', params: [factor] }),
    snapshot: () => provider.request({ method: 'devnet_snapshot' }),
    revert: (id) => provider.request({ method: 'devnet_revert', params: [id] }),
    waitFor: (hash, stage) => waitForStage(provider, hash, stage),
  }
}
