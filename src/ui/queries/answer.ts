import { useStatus } from './status.ts'

/** When a chain answers a transaction: with a partial block, or only with the block. */
export type ChainAnswer =
  /** By the clock. Milliseconds at full speed. */
  | { readonly kind: 'partial'; readonly partialMs: number; readonly blockMs: number }
  /** Blocks of one partial block: it is sealed as soon as it is answered. */
  | { readonly kind: 'block'; readonly blockMs: number }
  /** Each transaction is sealed at once. */
  | { readonly kind: 'automine' }
  /** Blocks come only when something asks for them. */
  | { readonly kind: 'request' }
  /** Partial blocks come only by hand. */
  | { readonly kind: 'manual' }

const DEFAULT: ChainAnswer = { kind: 'partial', partialMs: 200, blockMs: 2_000 }

/** When this chain answers; as the page's own chain does by default until the node says otherwise. */
export function useAnswer(): ChainAnswer {
  return (
    useStatus(({ automine, minesOnRequest, mode, partialMs, partialsPerBlock }): ChainAnswer => {
      if (automine) return { kind: 'automine' }
      if (minesOnRequest) return { kind: 'request' }
      if (mode === 'manual') return { kind: 'manual' }
      const blockMs = partialMs * partialsPerBlock
      return partialsPerBlock === 1 ? { kind: 'block', blockMs } : { kind: 'partial', partialMs, blockMs }
    }) ?? DEFAULT
  )
}
