/** Whether what the chain is made of survives the tabs. */
export type ChainStorage =
  | { readonly kind: 'journal' }
  /**
   * `reason` says why it does not, for people. `unasked`: only because the page's address, and not a person, asked for a
   * chain with other options than the defaults.
   */
  | { readonly kind: 'memory'; readonly reason: string; readonly unasked?: boolean }

/** A tab's role for a chain that it shares with others. */
export type ChainSeat =
  /** Its worker is the node, or passes its calls on to that of another tab. */
  | {
      readonly role: 'leads' | 'follows'
      /** Another number for each node, the later one higher. */
      readonly epoch: number
      readonly storage: ChainStorage
    }
  /** The tab that ran the chain has gone, the next one is about to take over. */
  | { readonly role: 'waits' }
  /** The tab that runs the chain cannot be understood; `message` is for people. */
  | { readonly role: 'blocked'; readonly message: string }
