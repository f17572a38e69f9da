import { type Address, type Hash, toQuantity } from '#primitives/hex.ts'
import type { MissingState } from '../state/missing-state.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { AnswerError, bytesOf, listOf, membersOf, proofNodesOf } from './answers.ts'
import { findPreimage } from './find-preimage.ts'
import { ForkError } from './fork-error.ts'
import { ForkState } from './fork-state.ts'
import type { KeptRow } from './kept-rows.ts'
import type { FindNode } from './reveal.ts'
import { checkAnswer, requireRoom, type SourceDeps, type StateSource } from './state-source.ts'

/** Slots in one `eth_getProof`. */
const SLOTS_PER_PROOF = 128

/** Words of an endpoint that has proofs, but gives no more of them now. */
const IS_LIMIT = /rate.?limit|too many|throttl|capacity|quota/i

/** The endpoint answers `eth_getProof` with an error. */
export class NoProofError extends ForkError {}

/** The state of the fork's block, of which every part is proven by `eth_getProof`. */
export class ProvenSource implements StateSource {
  readonly isProven = true
  readonly #deps: SourceDeps
  readonly #state: ForkState
  /** The newest search for a preimage: one runs at a time, since each takes all of its turns. */
  #searching: Promise<unknown> = Promise.resolve()

  constructor(deps: SourceDeps) {
    this.#deps = deps
    this.#state = new ForkState(deps.header.header.stateRoot, deps.keep, deps.codes)
  }

  get snapshot(): StateSnapshot {
    return this.#state.snapshot
  }

  get keptBytes(): number {
    return this.#state.keptBytes
  }

  async fetchAccount(address: Address, slots: readonly Hash[]): Promise<void> {
    const { remote, clock } = this.#deps
    const count = Math.max(1, Math.ceil(slots.length / SLOTS_PER_PROOF))
    const portions = Array.from({ length: count }, (_, i) =>
      slots.slice(i * SLOTS_PER_PROOF, (i + 1) * SLOTS_PER_PROOF),
    )
    const [code, ...proofs] = await Promise.all([
      this.#state.knows(address) ? undefined : remote.ask('eth_getCode', [address, this.#block]),
      ...portions.map((portion) => this.#askProof(address, portion)),
    ])
    for (const [i, portion] of portions.entries()) {
      // A portion takes tens of milliseconds.
      await clock.yield()
      requireRoom(this)
      checkAnswer(this.#deps, `account ${address}`, () => {
        const proof = membersOf(proofs[i], 'the proof')
        const accountProof = proofNodesOf(proof['accountProof'], 'accountProof')
        const storage = listOf(proof['storageProof'], 'storageProof')
        if (storage.length !== portion.length) throw new AnswerError('it proves another number of slots')
        const storageProofs = storage.map((each) =>
          proofNodesOf(membersOf(each, 'a proof of storageProof')['proof'], 'a proof of storageProof'),
        )
        const codeBytes = code === undefined ? undefined : bytesOf(code, 'its code')
        this.#state.accept(address, portion, { accountProof, storageProofs, code: codeBytes })
      })
    }
  }

  async fetchNode({ address, key, depth }: MissingState & { readonly kind: 'node' }): Promise<void> {
    const { clock } = this.#deps
    const search = this.#searching.then(() => findPreimage(key, depth, address === undefined ? 20 : 32, clock))
    this.#searching = search.catch(() => {})
    const preimage = await search
    if (preimage === undefined) {
      const where = address === undefined ? 'the state' : `the storage of ${address}`
      const why = `what is deleted changes a node of ${where} ${depth} levels deep, and no proof of it can be asked for`
      throw new ForkError(`the state root cannot be known: ${why}`)
    }
    const answer = await (address === undefined ? this.#askProof(preimage, []) : this.#askProof(address, [preimage]))
    const what = address === undefined ? 'a node of the state' : `a node of the storage of ${address}`
    checkAnswer(this.#deps, what, () => {
      const proof = membersOf(answer, 'the proof')
      const storage = listOf(proof['storageProof'], 'storageProof')
      const nodes =
        address === undefined
          ? proofNodesOf(proof['accountProof'], 'accountProof')
          : proofNodesOf(membersOf(storage[0], 'storageProof')['proof'], 'storageProof')
      this.#state.acceptNodes(address, preimage, nodes)
    })
  }

  restore(row: KeptRow, find: FindNode): void {
    this.#state.restore(row, find)
  }

  get #block() {
    return toQuantity(this.#deps.header.header.number)
  }

  /** @throws {NoProofError} */
  async #askProof(address: Address, slots: readonly Hash[]): Promise<unknown> {
    try {
      return await this.#deps.remote.ask('eth_getProof', [address, slots, this.#block])
    } catch (error) {
      if (!(error instanceof ForkError) || !error.answered || IS_LIMIT.test(error.answered.message)) throw error
      throw new NoProofError(`${error.message}; this fork is proven, and takes nothing without a proof`, {
        cause: error,
        answered: error.answered,
      })
    }
  }
}
