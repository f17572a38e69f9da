import { ByteWriter } from '#primitives/byte-writer.ts'
import type { Hash } from '#primitives/hex.ts'
import { type SealedBlock, type StateEdit, StatePrunedError } from '../payload/block.ts'
import { type StateDifference, stateDifference } from '../state/state-difference.ts'
import { codesOf, writeDifference } from '../state/state-record.ts'
import { STATES_KEPT } from '../storage/chain-store.ts'
import { BlockUnreadableError } from '../storage/journal.ts'
import type { JournaledChain } from './journaled-chain.ts'
import { encodeJson } from './json-record.ts'
import type { LeftBlocks } from './left-blocks.ts'
import type { PendingChanges } from './pending-changes.ts'
import { type BaseRecord, blockKey, META, numberOf, stateKeys } from './records.ts'
import { wholeState, wholeStateInPieces } from './state-rows.ts'
import { WHOLE_STATES, type WholeStateRule } from './whole-state-rule.ts'

/**
 * When the chain is closed, it is written if the differences take more than this part of it: they take several times as
 * long to open as it takes to write.
 */
const CLOSING_SHARE = 1 / 16

/** What the journal already holds of the states. */
export interface WrittenStates {
  readonly base: BaseRecord
  /** Length of its whole state; 0 for the chain's first block, which is made anew. */
  readonly baseBytes: number
  /** Length of the differences from there to the newest block. */
  readonly differenceBytes: number
  readonly codes: ReadonlySet<Hash>
  /** Keys of the blocks whose state differences are stored. */
  readonly differences: ReadonlySet<string>
}

/** A whole state that can become the base. */
interface PreparedBase {
  readonly block: SealedBlock
  readonly record: Uint8Array
  /** Length of the differences that lead to it. */
  readonly differenceBytes: number
}

/**
 * The states of a chain in its journal: the whole state of one block, the base; what each of the newest blocks changed,
 * so that their states follow from the base; and every contract's code.
 */
export class JournaledStates {
  readonly #chain: Pick<JournaledChain, 'clock' | 'fork' | 'store'>
  readonly #rule: WholeStateRule
  readonly #changes: PendingChanges
  /** Called when there is more to write. */
  readonly #onReady: () => void
  readonly #codes: Set<Hash>
  /** Keys of the blocks whose differences are stored. */
  readonly #differences: Set<string>
  readonly #left: LeftBlocks
  /** Whether some of them may no longer be needed. */
  #unswept = false
  #base: BaseRecord
  #baseBytes: number
  /** Bytes of the blocks since the base. */
  #differenceBytes: number
  /** Whether newer blocks' states no longer follow from the base. */
  #baseIsLost = false
  #isPreparing = false
  /** The next base. */
  #prepared: PreparedBase | undefined
  #closed = false

  constructor(
    chain: Pick<JournaledChain, 'clock' | 'fork' | 'store' | 'wholeStates'>,
    changes: PendingChanges,
    { base, baseBytes, differenceBytes, codes, differences }: WrittenStates,
    left: LeftBlocks,
    onReady: () => void,
  ) {
    this.#chain = chain
    this.#rule = chain.wholeStates ?? WHOLE_STATES
    this.#left = left
    this.#changes = changes
    this.#onReady = onReady
    this.#base = base
    this.#baseBytes = baseBytes
    this.#differenceBytes = differenceBytes
    this.#codes = new Set(codes)
    this.#differences = new Set(differences)
  }

  /** A block was sealed. */
  seal(block: SealedBlock): void {
    this.putCodesOf(block.edits)
    // One that a revert brings back may have been kept for its snapshot.
    if (!this.#differences.has(blockKey(block)) && !this.#putDifference(block)) this.#baseIsLost = true
    this.#leaveOld(block.header.number)
  }

  /** Blocks have left the chain, or a snapshot is gone: {@link update} finds what is no longer needed of them. */
  sweepLater(): void {
    this.#unswept = true
  }

  #leave(key: string): void {
    this.#differences.delete(key)
    this.#changes.delete('diffs', key)
  }

  /** Writes the code that edits brought. */
  putCodesOf(edits: readonly StateEdit[]): void {
    for (const { difference } of edits) this.#putCodes(difference)
  }

  /** Updates the base before a write: it must be on the chain and recent enough. */
  update(): void {
    const head = this.#chain.store.head()
    if (this.#baseIsLost || !this.#isOnChain(this.#base)) {
      this.#completeDifferences()
      this.#putBase({
        block: head,
        record: wholeState(this.#chain, head.state),
        differenceBytes: this.#differenceBytes,
      })
    } else {
      // Before the next one, which is not due if this one is new.
      this.#putPrepared()
      if (!this.#isPreparing && this.#isDue(head.header.number)) void this.#prepareBase(head)
    }
    // A small state is there at once.
    this.#putPrepared()
    if (this.#unswept) this.#sweep()
  }

  /** Writes the prepared base, if it is newer than the last one. */
  #putPrepared(): void {
    const prepared = this.#prepared
    this.#prepared = undefined
    if (!prepared) return
    const { hash, header } = prepared.block
    if (header.number > this.#base.number && this.#isOnChain({ number: header.number, hash })) this.#putBase(prepared)
  }

  #isDue(head: number): boolean {
    const enough = Math.max(this.#rule.leastDifferenceBytes, this.#baseBytes / 2)
    return this.#differenceBytes >= enough || head - this.#base.number >= this.#rule.mostBlocks
  }

  /**
   * Deletes the differences of blocks whose states are no longer kept, but not those between the base and the newest
   * block: a new base of a large state can take longer than that many blocks.
   */
  #leaveOld(head: number): void {
    const { store } = this.#chain
    if (this.#left.hasSnapshots) {
      // Some of the old ones are needed: now and then all are looked at.
      if (head % STATES_KEPT === 0) this.#unswept = true
      return
    }
    for (let number = Math.min(head - STATES_KEPT, this.#base.number); ; number--) {
      const block = store.blockByNumber(number)
      const key = block && blockKey(block)
      if (key === undefined || !this.#differences.has(key)) return
      this.#leave(key)
    }
  }

  /** Deletes all differences that neither the chain nor a snapshot needs. */
  #sweep(): void {
    this.#unswept = false
    const { store } = this.#chain
    const newest = Math.min(store.head().header.number - STATES_KEPT, this.#base.number)
    const isNeeded = this.#left.neededStates(store)
    for (const key of [...this.#differences]) {
      const number = numberOf(key)
      const block = store.blockByNumber(number)
      const isOnChain = block !== undefined && blockKey(block) === key
      if (!(isOnChain && number > newest) && !isNeeded(key, isOnChain)) this.#leave(key)
    }
  }

  /** Prepares no further base. */
  close(): void {
    this.#closed = true
  }

  /**
   * Prepares the newest block's state as the base if opening the chain would otherwise take longer. Call it after
   * {@link close}, when all else is written; {@link update} then writes it.
   *
   * @param mostMs - Gives up after that many milliseconds.
   * @returns Whether there is one to write.
   */
  async prepareLastBase(mostMs: number): Promise<boolean> {
    const enough = Math.max(this.#rule.leastDifferenceBytes, this.#baseBytes * CLOSING_SHARE)
    if (this.#baseIsLost || this.#differenceBytes < enough) return false
    const { clock, store } = this.#chain
    const until = clock.now() + mostMs
    await this.#prepareBase(store.head(), () => clock.now() > until)
    return this.#prepared !== undefined
  }

  /** Writes what the block changed; `false` if its parent's state is no longer kept, or cannot be read. */
  #putDifference(block: SealedBlock): boolean {
    const parent = this.#chain.store.blockByNumber(block.header.number - 1)
    if (!parent) return false
    try {
      const difference = stateDifference(parent.state, block.state)
      this.#putCodes(difference)
      const writer = new ByteWriter()
      writeDifference(writer, difference)
      const record = writer.finish()
      this.#differenceBytes += record.length
      this.#changes.put('diffs', blockKey(block), record)
      this.#differences.add(blockKey(block))
      return true
    } catch (error) {
      if (error instanceof StatePrunedError || error instanceof BlockUnreadableError) return false
      throw error
    }
  }

  #putCodes(difference: StateDifference): void {
    const { codes } = this.#chain.store.head().state
    for (const hash of codesOf(difference)) {
      if (this.#codes.has(hash)) continue
      this.#codes.add(hash)
      this.#changes.put('states', stateKeys.code(hash), codes.get(hash))
    }
  }

  /** Encodes the block's state in the background, while the chain continues, unless it is given up. */
  async #prepareBase(block: SealedBlock, isGivenUp = () => this.#closed): Promise<void> {
    this.#isPreparing = true
    const differenceBytes = this.#differenceBytes
    const pacer = this.#rule.pacer(this.#chain.clock)
    const pieces = wholeStateInPieces(this.#chain, block.state, this.#baseBytes >= this.#rule.packedBytes)
    let piece = pieces.next()
    for (; !piece.done; piece = pieces.next()) {
      const pause = pacer.checkpoint()
      if (pause) await pause
      if (isGivenUp()) return
    }
    this.#prepared = { block, record: piece.value, differenceBytes }
    this.#isPreparing = false
    this.#onReady()
  }

  #isOnChain({ number, hash }: BaseRecord): boolean {
    return this.#chain.store.blockByNumber(number)?.hash === hash
  }

  #putBase({ block, record, differenceBytes }: PreparedBase): void {
    const { hash, header } = block
    const { number } = header
    const before = this.#base
    this.#base = { number, hash }
    if (before.hash !== hash) this.#changes.delete('states', stateKeys.base(before.hash))
    this.#changes.put('states', stateKeys.base(hash), record)
    this.#changes.put('meta', META.base, encodeJson(this.#base))
    this.#baseIsLost = false
    this.#baseBytes = record.length
    this.#differenceBytes = Math.max(0, this.#differenceBytes - differenceBytes)
    this.#leaveOld(this.#chain.store.head().header.number)
  }

  /**
   * Writes missing differences: after a revert to a snapshot the chain has states again whose differences were deleted.
   */
  #completeDifferences(): void {
    const { store } = this.#chain
    let { number } = store.head().header
    for (const oldest = Math.max(1, number - STATES_KEPT + 1); number >= oldest; number--) {
      const block = store.blockByNumber(number)
      if (block && !this.#differences.has(blockKey(block)) && !this.#putDifference(block)) return
    }
  }
}
