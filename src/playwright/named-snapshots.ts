import type { Chain } from '#library/chain.ts'
import type { Address, Quantity } from '#primitives/hex.ts'

/** How many names a chain may have. */
const MAX_NAMES = 100
const MAX_LENGTH = 200

/** The snapshots of a chain that stay from one test to the next: its beginning, and those with names. */
export class NamedSnapshots {
  readonly #chain: Chain
  readonly #byName = new Map<string, Quantity>()
  #base: Quantity | undefined
  #held: Quantity | undefined

  constructor(chain: Chain) {
    this.#chain = chain
  }

  /** The names of all of them. */
  get names(): readonly string[] {
    return [...this.#byName.keys()]
  }

  /** Takes a snapshot that stays until the chain starts over. */
  async hold(): Promise<Quantity> {
    this.#held = await this.#chain.snapshot()
    return this.#held
  }

  /**
   * Goes back to a snapshot that is {@link hold | held}, as often as one likes. Accounts that are impersonated stay so.
   *
   * @throws {Error} If the chain has gone back behind it.
   */
  async backTo(held: Quantity): Promise<void> {
    const accounts = await this.#accounts()
    if (!(await this.#reset(held))) throw new Error('the test has taken its chain back to before its own beginning')
    await this.#impersonate(accounts)
  }

  /** The state that each test begins with. */
  begin(base: Quantity): void {
    this.#base = base
  }

  /**
   * Starts the chain over at its beginning.
   *
   * @returns `false` if it has gone back behind that: nothing has changed.
   */
  async startOver(): Promise<boolean> {
    this.#held = undefined
    return this.#base !== undefined && (await this.#reset(this.#base))
  }

  /**
   * Takes a snapshot under a name, in the place of one that had it before.
   *
   * @throws {TypeError | RangeError} If that is no name, or there are too many.
   */
  async take(name: string): Promise<Quantity> {
    if (name === '' || name.length > MAX_LENGTH || /^0x/i.test(name)) {
      throw new TypeError(`a snapshot's name has 1 to ${MAX_LENGTH} characters and does not begin with 0x`)
    }
    if (!this.#byName.has(name) && this.#byName.size >= MAX_NAMES) {
      throw new RangeError(`a chain has at most ${MAX_NAMES} snapshots with names`)
    }
    const id = await this.#chain.snapshot()
    this.#byName.set(name, id)
    return id
  }

  /**
   * Goes back to a snapshot with a name, which stays. Accounts that are impersonated stay so.
   *
   * @throws {Error} If there is none, with why.
   */
  async revert(name: string): Promise<true> {
    const id = this.#byName.get(name)
    if (id === undefined) {
      const names = this.names.map((each) => JSON.stringify(each)).join(', ') || 'none'
      const hint = `each worker process takes its own, by chain.snapshot(${JSON.stringify(name)}), before a test goes back to it`
      throw new Error(`this chain has no snapshot ${JSON.stringify(name)}, it has ${names}: ${hint}`)
    }
    const accounts = await this.#accounts()
    if (!(await this.#reset(id))) {
      this.#byName.delete(name)
      const why = 'the chain has gone back to an earlier snapshot by its id, or to block 0 (devnet_reset)'
      throw new Error(`the snapshot ${JSON.stringify(name)} is gone: after it was taken, ${why}`)
    }
    await this.#impersonate(accounts)
    return true
  }

  async #impersonate(accounts: readonly Address[]): Promise<void> {
    const left = await this.#accounts()
    for (const account of accounts) {
      if (!left.includes(account)) await this.#chain.request({ method: 'anvil_impersonateAccount', params: [account] })
    }
  }

  #accounts(): Promise<readonly Address[]> {
    return this.#chain.request({ method: 'eth_accounts' })
  }

  async #reset(id: Quantity): Promise<boolean> {
    const kept = [this.#base, this.#held, ...this.#byName.values()].filter((each) => each !== undefined)
    try {
      return await this.#chain.request({ method: 'devnet_reset', params: [id, kept] })
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('there is no snapshot')) return false
      throw error
    }
  }
}
