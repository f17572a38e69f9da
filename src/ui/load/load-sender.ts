import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { LOAD_ACCOUNTS } from '#client/signing/load-accounts.ts'
import type { Signer } from '#client/signing/spawn-signer.ts'
import { type Address, type Hex, toQuantity } from '#primitives/hex.ts'
import type { DevKey } from '#rpc-types/dev-keys.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { type FeeFacts, fetchFeeFacts, suggestedFeeCap } from '#ui/own/fee-facts.ts'
import type { LoadPattern } from './load-plan.ts'
import { CREATE2_DEPLOYER, DEPLOYMENT_INPUT, LOAD_CALLS, LOAD_TARGET } from './load-target.ts'

/** Balance below which an account is refilled, and the amount it gets, in wei. */
const LOW_WATER = 10n ** 18n
const REFILL = 100n * 10n ** 18n

/** An account of the load and its nonces. */
interface LoadAccount extends DevKey {
  nextNonce: number
  /** Missing lower nonces, behind which others may wait; ascending, used before the next one. */
  gaps: number[]
  /** Nonces of transactions without an answer yet. */
  readonly underWay: Set<number>
}

/** How many of an account's missing nonces are filled at once. */
const MAX_GAPS = 200

/** Outcome of a submission: accepted, nonce already in use, or the node's refusal. */
export type Sent = 'taken' | 'nonce-used' | ProviderRpcError

/**
 * Errors that mean that an account's nonce is not the expected one: after a fault, or because somebody else uses it.
 */
const NONCE_ERRORS = ['nonce too low', 'already known', 'replacement transaction underpriced']

/** Signs and sends transactions from the load's accounts in turn, counting their nonces itself. */
export class LoadSender {
  readonly #provider: BlinknetProvider
  readonly #signer: Signer
  readonly #accounts: readonly LoadAccount[] = LOAD_ACCOUNTS.map((key) => ({
    ...key,
    nextNonce: 0,
    gaps: [],
    underWay: new Set(),
  }))
  #facts: FeeFacts | undefined
  #turn = 0

  constructor(provider: BlinknetProvider, signer: Signer) {
    this.#provider = provider
    this.#signer = signer
  }

  /**
   * Fetches fees and nonces, and refills nearly empty accounts with the faucet.
   *
   * @throws {ProviderRpcError}
   */
  async prepare(): Promise<void> {
    const facts = await Promise.all(this.#accounts.map(({ address }) => fetchFeeFacts(this.#provider, address)))
    this.#accounts.forEach((account, i) => {
      account.nextNonce = facts[i]?.nextNonce ?? 0
      account.gaps = []
    })
    this.#facts = facts[0]
    const low = this.#accounts.filter((_, i) => (facts[i]?.balance ?? 0n) < LOW_WATER)
    await Promise.all(
      low.map(({ address }) =>
        this.#provider.request({ method: 'devnet_faucet', params: [address, toQuantity(REFILL)] }),
      ),
    )
  }

  /** Fetches current fees and refills nearly empty accounts; keeps the counted nonces. */
  async refresh(): Promise<void> {
    const [first] = this.#accounts
    if (!first) return
    this.#facts = await fetchFeeFacts(this.#provider, first.address)
    if (this.#facts.balance >= LOW_WATER) return
    await Promise.all(
      this.#accounts.map(({ address }) =>
        this.#provider.request({ method: 'devnet_faucet', params: [address, toQuantity(REFILL)] }),
      ),
    )
  }

  /** Deploys the load's contract; it exists once that is pre-confirmed. */
  async deploy(): Promise<void> {
    const sending = await this.#submit([this.#next()], () => ({
      to: CREATE2_DEPLOYER,
      value: 0n,
      input: DEPLOYMENT_INPUT,
      gas: 500_000n,
    }))
    for (const sent of await Promise.all(sending)) if (sent instanceof ProviderRpcError) throw sent
  }

  /**
   * Sends transactions of a pattern.
   *
   * @returns One promise per transaction, with its outcome.
   * @throws {Error} If they cannot be signed.
   */
  send(count: number, pattern: LoadPattern): Promise<readonly Promise<Sent>[]> {
    const senders = Array.from({ length: count }, () => this.#next())
    return this.#submit(senders, (sender) => contentOf(pattern, this.#neighbour(sender).address))
  }

  /**
   * Finds the missing nonces of accounts with transactions behind a gap; their next transactions use them.
   *
   * @throws {ProviderRpcError}
   */
  async findGaps(): Promise<void> {
    await Promise.all(this.#accounts.map((account) => this.#findGaps(account)))
  }

  async #findGaps(account: LoadAccount): Promise<void> {
    const [count, { queued }] = await Promise.all([
      this.#provider.request({ method: 'eth_getTransactionCount', params: [account.address, 'pending'] }),
      this.#provider.request({ method: 'txpool_contentFrom', params: [account.address] }),
    ])
    const waiting = Object.keys(queued).map(Number)
    if (waiting.length === 0) {
      // Nothing is waiting or pending, so everything sent after the count was lost.
      if (account.underWay.size === 0) Object.assign(account, { nextNonce: Number(count), gaps: [] })
      return
    }
    const highest = Math.max(...waiting)
    const taken = new Set([...waiting, ...account.underWay])
    account.gaps = []
    for (let nonce = Number(count); nonce < highest && account.gaps.length < MAX_GAPS; nonce++) {
      if (!taken.has(nonce)) account.gaps.push(nonce)
    }
    account.nextNonce = Math.max(account.nextNonce, highest + 1)
  }

  /**
   * Fills the nonce gaps before waiting transactions.
   *
   * @returns Whether there is nothing more to fill; `false` while a pending answer may change that.
   * @throws {ProviderRpcError}
   */
  async fillGaps(): Promise<boolean> {
    if (!this.#facts) return true
    if (this.#accounts.some(({ underWay }) => underWay.size > 0)) return false
    await this.findGaps()
    const senders = this.#accounts.flatMap((account) => account.gaps.map(() => account))
    if (senders.length === 0) return true
    await this.refresh()
    await Promise.all(await this.#submit(senders, (sender) => contentOf('steady', this.#neighbour(sender).address)))
    return false
  }

  async #submit(
    senders: readonly LoadAccount[],
    content: (sender: LoadAccount) => LoadContent,
  ): Promise<readonly Promise<Sent>[]> {
    const facts = this.#facts
    if (!facts) throw new Error('the load was not prepared')
    const nonces = senders.map((account) => account.gaps.shift() ?? account.nextNonce++)
    const jobs = senders.map((account, i) => {
      const nonce = nonces[i] ?? 0
      account.underWay.add(nonce)
      return {
        ...content(account),
        from: account.address,
        privateKey: account.privateKey,
        chainId: BigInt(facts.chainId),
        nonce: BigInt(nonce),
        maxFeePerGas: suggestedFeeCap(facts.baseFee, facts.tip),
        maxPriorityFeePerGas: facts.tip,
      }
    })
    const raws = await this.#signer.sign(jobs)
    return raws.map((raw, i) => this.#sendRaw(raw, senders[i] ?? this.#at(0), nonces[i] ?? 0))
  }

  async #sendRaw(raw: Hex, account: LoadAccount, nonce: number): Promise<Sent> {
    try {
      await this.#provider.request({ method: 'eth_sendRawTransaction', params: [raw] })
      return 'taken'
    } catch (error) {
      if (!(error instanceof ProviderRpcError) || error.code === ERROR_CODES.disconnected) throw error
      if (NONCE_ERRORS.some((words) => error.message.startsWith(words))) {
        const count = await this.#provider.request({
          method: 'eth_getTransactionCount',
          params: [account.address, 'pending'],
        })
        account.nextNonce = Math.max(account.nextNonce, Number(count))
        return 'nonce-used'
      }
      // Everything sent after it waits behind the gap; the account's next transaction fills it.
      account.gaps = [...account.gaps, nonce].sort((a, b) => a - b)
      return error
    } finally {
      account.underWay.delete(nonce)
    }
  }

  /** The account whose turn it is. */
  #next(): LoadAccount {
    return this.#at(this.#turn++)
  }

  #neighbour(account: LoadAccount): LoadAccount {
    return this.#at(this.#accounts.indexOf(account) + 1)
  }

  #at(turn: number): LoadAccount {
    const account = this.#accounts[turn % this.#accounts.length]
    if (!account) throw new RangeError('there are no accounts for the load')
    return account
  }
}

/** Content of a transaction of the load; value in wei. */
export interface LoadContent {
  readonly to: Address
  readonly value: bigint
  readonly input: Hex
  /** Gas limit. */
  readonly gas: bigint
}

/**
 * Content of one transaction of a pattern.
 *
 * @param neighbour - The recipient of a transfer.
 */
export function contentOf(pattern: LoadPattern, neighbour: Address): LoadContent {
  switch (pattern) {
    case 'steady':
    case 'burst':
      return { to: neighbour, value: 1_000_000_000n, input: '0x', gas: 21_000n }
    case 'calls':
      return { to: LOAD_TARGET, value: 0n, input: LOAD_CALLS.increment, gas: 80_000n }
    case 'reverts':
      return { to: LOAD_TARGET, value: 0n, input: LOAD_CALLS.refuse, gas: 40_000n }
  }
}
