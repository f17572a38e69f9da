/** Whether what the chain is made of survives the tabs. */
export type ChainDurability =
  | { readonly kind: 'journal' }
  /**
   * `reason` says why it does not, for people. `unasked`: only because the page's address, and not a person, asked for a
   * chain with other options than the defaults.
   */
  | { readonly kind: 'memory'; readonly reason: string; readonly unasked?: boolean }

/** A tab's role for a chain that it shares with others. */
export type ChainRole =
  /** Its worker is the node, or passes its calls on to that of another tab. */
  | {
      readonly kind: 'leads' | 'follows'
      /** Another number for each node, the later one higher. */
      readonly epoch: number
      readonly storage: ChainDurability
    }
  /** The tab that ran the chain has gone, the next one is about to take over. */
  | { readonly kind: 'waits' }
  /** The tab that runs the chain cannot be understood; `message` is for people. */
  | { readonly kind: 'blocked'; readonly message: string }
