/** Whether the chain survives its tabs. */
export type ChainDurability =
  /** `deleted`: the browser found its storage damaged and deleted all chains, before this one began; its own words. */
  | { readonly kind: 'journal'; readonly deleted?: string }
  /**
   * `reason` says why not, for people. `unasked`: the only reason is that the page's address, not a person, asked for
   * options other than the defaults.
   */
  | { readonly kind: 'memory'; readonly reason: string; readonly unasked?: boolean }

/** A tab's role for a chain that it shares with others. */
export type ChainRole =
  /** The tab's worker runs the node, or forwards calls to another tab's. */
  | {
      readonly kind: 'leads' | 'follows'
      /** A different number for each node; later ones are higher. */
      readonly epoch: number
      readonly storage: ChainDurability
    }
  /** The tab that ran the chain has gone, and the next one is about to take over. */
  | { readonly kind: 'waits' }
  /** The tab that runs the chain uses another protocol; `message` is for people. */
  | { readonly kind: 'blocked'; readonly message: string }
