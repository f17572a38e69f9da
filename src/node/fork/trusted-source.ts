import { type Address, type Hash, toQuantity } from '#primitives/hex.ts'
import type { MissingSlot, MissingState } from '../state/missing-state.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { AnswerError, bytesOf, hexOf, membersOf, quantityOf } from './answers.ts'
import type { KeptRow } from './kept-rows.ts'
import { checkAnswer, requireRoom, type SourceDeps, type StateSource } from './state-source.ts'
import { TrustedState } from './trusted-state.ts'

/** Most of a nonce. */
const MAX_NONCE = 2n ** 64n - 1n
/** Milliseconds after which it is asked again whether the block is still in the endpoint's chain. */
const CONFIRMED_FOR_MS = 30_000

/** The state of the fork's block as the endpoint tells it, for one that has no proofs. */
export class TrustedSource implements StateSource {
  readonly isProven = false
  readonly #deps: SourceDeps
  readonly #state: TrustedState
  /** Whether the endpoint still had the block when it was last asked. */
  #confirmation: Promise<void> = Promise.resolve()
  #confirmedUntilMs: number

  constructor(deps: SourceDeps) {
    this.#deps = deps
    this.#state = new TrustedState(deps.keep, deps.codes)
    this.#confirmedUntilMs = deps.clock.now() + CONFIRMED_FOR_MS
  }

  get snapshot(): StateSnapshot {
    return this.#state.snapshot
  }

  get keptBytes(): number {
    return this.#state.keptBytes
  }

  async fetchAccount(address: Address, slots: readonly Hash[]): Promise<void> {
    requireRoom(this)
    const block = toQuantity(this.#deps.header.header.number)
    const { ask } = this.#deps.remote
    const [, account, ...values] = await Promise.all([
      this.#confirm(),
      this.#state.knows(address)
        ? undefined
        : Promise.all([
            ask('eth_getBalance', [address, block]),
            ask('eth_getTransactionCount', [address, block]),
            ask('eth_getCode', [address, block]),
          ]),
      ...slots.map((slot) => ask('eth_getStorageAt', [address, slot, block])),
    ])
    checkAnswer(this.#deps, `account ${address}`, () => {
      const [balance, nonce, code] = account ?? []
      const told = account && {
        balance: quantityOf(balance, 'its balance'),
        nonce: quantityOf(nonce, 'its nonce'),
        code: bytesOf(code, 'its code'),
      }
      if (told && told.nonce > MAX_NONCE) throw new AnswerError('its nonce is too large')
      const found = slots.map((slot, i) => [slot, quantityOf(values[i], `slot ${slot}`)] as const)
      this.#state.accept(address, told, found)
    })
  }

  fetchNode(missing: MissingState & { readonly kind: 'node' }): never {
    throw new TypeError(`the trie has no unknown nodes: ${missing.key}`)
  }

  /** Takes slots for 0 whose values nobody reads, as the block’s system calls overwrite them. */
  skip(missing: readonly MissingSlot[]): void {
    for (const { address, slot } of missing) this.#state.accept(address, undefined, [[slot, 0n]])
  }

  restore(row: KeptRow): void {
    this.#state.restore(row)
  }

  /** Without proofs, a block that was reorganised would not be noticed otherwise. @throws {ForkError} */
  #confirm(): Promise<void> {
    const now = this.#deps.clock.now()
    if (now < this.#confirmedUntilMs) return this.#confirmation
    this.#confirmedUntilMs = now + CONFIRMED_FOR_MS
    this.#confirmation = this.#askForBlock().catch((error: unknown) => {
      this.#confirmedUntilMs = now
      throw error
    })
    return this.#confirmation
  }

  async #askForBlock(): Promise<void> {
    const { remote, header } = this.#deps
    const block = await remote.ask('eth_getBlockByNumber', [toQuantity(header.header.number), false])
    checkAnswer(this.#deps, 'the block', () => {
      const hash = block === null ? undefined : hexOf(membersOf(block, 'it')['hash'], 'its hash', 32)
      if (hash !== header.hash) throw new AnswerError(`it is not ${header.hash} any more: the chain was reorganised`)
    })
  }
}
