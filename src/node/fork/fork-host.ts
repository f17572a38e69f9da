/** The chain that a caller asks for, as anvil and Hardhat name it. */
export interface ForkTarget {
  /** Default: the endpoint of the present fork. */
  readonly jsonRpcUrl?: string
  /** The block after which the fork begins; the newest by default. */
  readonly blockNumber?: number
}

/** What a node asks of its host, as it has no network and cannot put another chain in its own place. */
export interface ForkHost {
  /** Whether the chain is stored or written to a file: without another one to fork, it starts over as what it is. */
  readonly isKept: boolean
  /**
   * Puts a new chain in the place of this one; calls that are under way here are still answered.
   *
   * @param target - What it is a fork of; `undefined` for a chain that is no fork.
   * @throws {ForkError} If that chain cannot be forked: this one goes on.
   * @throws {RpcRefusedError} If it makes no sense.
   */
  reset(target: ForkTarget | undefined): Promise<void>
  /**
   * Fetches what this fork lacks from another endpoint from here on.
   *
   * @throws {ForkError} If that is not one of the same chain, with the fork's block: it goes on with the present one.
   * @throws {RpcRefusedError} As above.
   */
  setUrl(url: string): Promise<void>
}
