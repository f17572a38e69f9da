import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Signer } from '#client/signing/spawn-signer.ts'
import { type Address, type Hex, toQuantity } from '#primitives/hex.ts'
import type { DevKey } from '#rpc-types/dev-keys.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { type FeeFacts, fetchFeeFacts, suggestedFeeCap } from '#ui/own/fee-facts.ts'
import { LOAD_ACCOUNTS } from './load-accounts.ts'
import type { LoadPattern } from './load-plan.ts'
import { CREATE2_DEPLOYER, DEPLOYMENT_INPUT, LOAD_CALLS, LOAD_TARGET } from './load-target.ts'

/** Wei below which an account is refilled, and what it then gets. */
const LOW_WATER = 10n ** 18n
const REFILL = 100n * 10n ** 18n

/** An account with the nonce that it uses next. */
interface LoadAccount extends DevKey {
  nextNonce: number
}

/** Outcome of a submission: accepted, nonce already in use, or the node's refusal. */
export type Sent = 'taken' | 'nonce-used' | ProviderRpcError

/** Errors that mean that an account's nonce is not what was thought: after a fault, or by somebody else's doing. */
const NONCE_ERRORS = ['nonce too low', 'already known', 'replacement transaction underpriced']

/**
 * Signs and sends transactions from the load's accounts, in turn, with nonces of its own counting.
 */
export class LoadSender {
  readonly #provider: BlinknetProvider
  readonly #signer: Signer
  readonly #accounts: readonly LoadAccount[] = LOAD_ACCOUNTS.map((key) => ({ ...key, nextNonce: 0 }))
  #facts: FeeFacts | undefined
  #turn = 0

  constructor(provider: BlinknetProvider, signer: Signer) {
    this.#provider = provider
    this.#signer = signer
  }

  /** Asks the chain for fees and nonces, and has the faucet fill what is nearly empty. @throws {ProviderRpcError} */
  async prepare(): Promise<void> {
    const facts = await Promise.all(this.#accounts.map(({ address }) => fetchFeeFacts(this.#provider, address)))
    this.#accounts.forEach((account, i) => {
      account.nextNonce = facts[i]?.nextNonce ?? 0
    })
    this.#facts = facts[0]
    const low = this.#accounts.filter((_, i) => (facts[i]?.balance ?? 0n) < LOW_WATER)
    await Promise.all(
      low.map(({ address }) =>
        this.#provider.request({ method: 'devnet_faucet', params: [address, toQuantity(REFILL)] }),
      ),
    )
  }

  /** Asks for the fees that hold now, and refills what is nearly empty; nonces stay as they were counted. */
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

  /** Puts the contract of the load onto the chain; it is there once that is pre-confirmed. */
  async deploy(): Promise<void> {
    const sending = await this.#submit(1, () => ({
      to: CREATE2_DEPLOYER,
      value: 0n,
      input: DEPLOYMENT_INPUT,
      gas: 500_000n,
    }))
    for (const sent of await Promise.all(sending)) if (sent instanceof ProviderRpcError) throw sent
  }

  /**
   * Sends so many transactions of a pattern.
   *
   * @returns A promise for each, of what came of it.
   * @throws {Error} If they cannot be signed.
   */
  send(count: number, pattern: LoadPattern): Promise<readonly Promise<Sent>[]> {
    return this.#submit(count, (turn) => contentOf(pattern, this.#at(turn + 1).address))
  }

  async #submit(count: number, content: (turn: number) => LoadContent): Promise<readonly Promise<Sent>[]> {
    const facts = this.#facts
    if (!facts) throw new Error('the load was not prepared')
    const senders: LoadAccount[] = []
    const jobs = Array.from({ length: count }, () => {
      const turn = this.#turn++
      const account = this.#at(turn)
      senders.push(account)
      return {
        ...content(turn),
        from: account.address,
        privateKey: account.privateKey,
        chainId: BigInt(facts.chainId),
        nonce: BigInt(account.nextNonce++),
        maxFeePerGas: suggestedFeeCap(facts.baseFee, facts.tip),
        maxPriorityFeePerGas: facts.tip,
      }
    })
    const raws = await this.#signer.sign(jobs)
    return raws.map((raw, i) => this.#sendRaw(raw, senders[i] ?? this.#at(0)))
  }

  async #sendRaw(raw: Hex, account: LoadAccount): Promise<Sent> {
    try {
      await this.#provider.request({ method: 'eth_sendRawTransaction', params: [raw] })
      return 'taken'
    } catch (error) {
      if (!(error instanceof ProviderRpcError) || error.code === ERROR_CODES.disconnected) throw error
      const nonce = Number(
        await this.#provider.request({ method: 'eth_getTransactionCount', params: [account.address, 'pending'] }),
      )
      if (NONCE_ERRORS.some((words) => error.message.startsWith(words))) {
        account.nextNonce = Math.max(account.nextNonce, nonce)
        return 'nonce-used'
      }
      // Its nonce is a gap now, behind which all that was sent after it waits: the next transaction fills it.
      account.nextNonce = nonce
      return error
    }
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

/** Content of one transaction of a pattern. @param neighbour - The recipient of a transfer. */
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
