import { fromBase64 } from '#primitives/base64.ts'
import type { Hash, Quantity } from '#primitives/hex.ts'
import type { ResultOf } from '#rpc-types/methods.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import type { TransactionStage } from '#rpc-types/transaction-stage.ts'
import type { BlinknetProvider } from './provider.ts'
import { waitForStage } from './wait-for-stage.ts'

type Tick = ResultOf<'devnet_tick'>

/** Short functions for a person's own chain, for the console, tests and other programs. */
export interface ChainTools {
  readonly request: BlinknetProvider['request']
  /** Runs `n` ticks at once (default 1). Resolves with the live block after them. */
  tick(n?: number): Promise<Tick>
  /** Runs the remaining ticks until the live block is sealed. Resolves with the live block after it. */
  seal(): Promise<Tick>
  /** Stops the clock's ticks until `resume`. */
  pause(): Promise<true>
  resume(): Promise<true>
  /** Chain time over real time, above 0 up to 100. */
  setSpeed(factor: number): Promise<true>
  /** Takes a snapshot of the chain, its pool and its time. Resolves with the id for `revert`. */
  snapshot(): Promise<Quantity>
  /**
   * Reverts to a snapshot. That one and all later ones are used up.
   *
   * @throws {Error} If no snapshot has that id.
   */
  revert(id: Quantity): Promise<true>
  /**
   * Resolves with the receipt once the transaction has reached that stage.
   *
   * @throws {Error} If the node has never seen it, loses, drops or replaces it, or goes away.
   */
  readonly waitFor: (hash: Hash, stage: TransactionStage) => Promise<RpcReceipt>
  /** The whole chain as a file, for `--load-state`, the page's import and `devnet_importChain`. */
  exportChain(): Promise<Uint8Array<ArrayBuffer>>
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
    async revert(id) {
      if (await provider.request({ method: 'devnet_revert', params: [id] })) return true
      throw new Error(
        `there is no snapshot ${id}: each can be reverted to once, and those that came after it are gone then`,
      )
    },
    waitFor: (hash, stage) => waitForStage(provider, hash, stage),
    exportChain: async () => fromBase64(await provider.request({ method: 'devnet_exportChain' })),
  }
}
