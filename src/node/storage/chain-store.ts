import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Block, IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { ChainReader } from './chain-reader.ts'
import { HashIndex } from './hash-index.ts'
import { RecordPages } from './record-pages.ts'
import { recordOf, StoredBlock, transactionHashOf } from './stored-block.ts'

/** The newest blocks whose states are kept, besides block 0; of older ones all else stays readable. */
export const STATES_KEPT = 256
/** The newest blocks that stand as they were sealed; older ones are bytes, which take a fraction of the memory. */
const PARSED_KEPT = 4

/** Sealed blocks and the live one, with the indices that look-ups need. */
export class ChainStore implements ChainReader {
  readonly #sealed: SealedBlock[] = []
  /** From here on down to block 1 no block has its state. */
  #prunedUpTo = 0
  /** From here on down to block 1 every block is bytes. */
  #storedUpTo = 0
  /** Blocks whose states are gone. */
  readonly #pages = new RecordPages()
  /** By number. */
  readonly #hashes = new HashIndex((number) => (this.#sealed[number] as SealedBlock).hash)
  /** All sealed transactions in their order; a nonce that was set back lets one be sealed once more. */
  readonly #transactions = new HashIndex((position) => {
    const { block, index } = this.#placeOf(position)
    return transactionHashOf(block, index)
  })
  /** Of the sealed blocks, the position in `#transactions` of their first, or where it would be. */
  readonly #firstPositions: number[] = []
  /** Position in the live block of its transactions. */
  readonly #live = new Map<Hash, number>()
  #pending: PartialBlock | undefined

  /** @param genesis - Keeps its state for ever. */
  constructor(genesis: SealedBlock) {
    this.#add(genesis, [])
  }

  /**
   * Appends a block of an earlier run.
   *
   * @param transactionHashes - Of its transactions, so that they need not be read for the index.
   */
  restore(block: SealedBlock, number: number, transactionHashes: readonly Hash[]): void {
    invariant(number === this.#sealed.length, 'blocks are restored in order')
    this.#add(keepsState(block) ? block : this.#withoutState(block), transactionHashes)
  }

  /** Whether the state of a sealed block is kept. */
  hasState(number: number): boolean {
    const block = this.#sealed[number]
    return block !== undefined && keepsState(block)
  }

  /** Takes the states that the same blocks of `chain` have and the store has let go of. */
  adoptStates(chain: readonly SealedBlock[]): void {
    for (const [number, block] of chain.entries()) {
      const own = this.#sealed[number]
      if (own?.hash === block.hash && !keepsState(own) && keepsState(block)) this.#sealed[number] = block
    }
    this.#findPruned()
  }

  /** Blocks that came back without their states may stand above others that have theirs. */
  #findPruned(): void {
    let number = 0
    while (number + 1 < this.#sealed.length && !this.hasState(number + 1)) number++
    this.#prunedUpTo = number
    this.#storedUpTo = number
  }

  head(): SealedBlock {
    return this.#sealed[this.#sealed.length - 1] as SealedBlock
  }

  pending(): PartialBlock {
    invariant(this.#pending, 'no partial block was cut yet')
    return this.#pending
  }

  blockByNumber(number: number): SealedBlock | undefined {
    return this.#sealed[number]
  }

  blockByHash(hash: Hash): SealedBlock | undefined {
    const number = this.#hashes.find(hash)
    return number === undefined ? undefined : this.#sealed[number]
  }

  findTransaction(hash: Hash): { readonly included: IncludedTransaction; readonly block: Block } | undefined {
    const position = this.#transactions.find(hash)
    if (position !== undefined) {
      const { block, index } = this.#placeOf(position)
      return entry(block, index)
    }
    const index = this.#live.get(hash)
    return index === undefined ? undefined : entry(this.pending(), index)
  }

  /** A transaction of the live block, whether or not it was sealed before as well. */
  liveTransaction(hash: Hash): Transaction | undefined {
    const index = this.#live.get(hash)
    return index === undefined ? undefined : this.pending().transactions[index]?.tx
  }

  /** Makes `partial` what `pending` answers. */
  setPending(partial: PartialBlock): void {
    invariant(partial.header.parentHash === this.head().hash, 'the live block follows the head')
    if (partial.restarts) this.#live.clear()
    for (const { tx, transactionIndex } of partial.transactions.slice(this.#live.size)) {
      this.#live.set(tx.hash, transactionIndex)
    }
    this.#pending = partial
  }

  /** Appends a sealed block and puts the first partial block of its successor in place, in one step. */
  seal(block: SealedBlock, next: PartialBlock): void {
    this.#append(block)
    this.setPending(next)
  }

  /** All sealed blocks, from block 0; a copy. */
  sealed(): readonly SealedBlock[] {
    return this.#sealed.slice()
  }

  /**
   * Puts other blocks in the place of the sealed ones above `number`, and another live block, in one step.
   *
   * @param pending - Restarts.
   * @returns The blocks that are gone, newest first.
   */
  rewrite(number: number, blocks: readonly SealedBlock[], pending: PartialBlock): readonly SealedBlock[] {
    invariant(number >= 0 && number < this.#sealed.length, 'the chain does not go back there')
    this.#hashes.truncate(number + 1)
    this.#transactions.truncate(this.#firstPositions[number + 1] ?? this.#transactions.length)
    this.#firstPositions.length = number + 1
    const removed = this.#sealed.splice(number + 1).toReversed()
    this.#findPruned()
    for (const block of blocks) this.#append(block)
    this.setPending(pending)
    return removed
  }

  /** Lets go of the states that are too old, and of everything that can be read again from fewer bytes. */
  #prune(): void {
    const head = this.head().header.number
    for (let number = this.#storedUpTo + 1; number <= head - PARSED_KEPT; number++) {
      const block = this.#sealed[number] as SealedBlock
      if (!(block instanceof StoredBlock)) {
        const { state } = block
        this.#sealed[number] = new StoredBlock(recordOf(block), () => state)
      }
      this.#storedUpTo = number
    }
    for (let number = this.#prunedUpTo + 1; number <= head - STATES_KEPT; number++) {
      this.#sealed[number] = this.#withoutState(this.#sealed[number] as SealedBlock)
      this.#prunedUpTo = number
    }
  }

  #withoutState(block: SealedBlock): StoredBlock {
    return new StoredBlock(this.#pages.keep(recordOf(block)))
  }

  #append(block: SealedBlock): void {
    invariant(block.header.number === this.#sealed.length, 'blocks are sealed in order')
    invariant(block.header.parentHash === this.head().hash, 'a block follows its parent')
    this.#add(
      block,
      block.transactions.map(({ tx }) => tx.hash),
    )
    this.#prune()
  }

  #add(block: SealedBlock, transactionHashes: readonly Hash[]): void {
    this.#sealed.push(block)
    this.#hashes.add(block.hash)
    this.#firstPositions.push(this.#transactions.length)
    for (const hash of transactionHashes) this.#transactions.add(hash)
  }

  /** Block and index of the transaction at a position in `#transactions`. */
  #placeOf(position: number): { readonly block: SealedBlock; readonly index: number } {
    // The last block that begins at or before it; those without transactions begin where the next one does.
    let number = 0
    for (let above = this.#sealed.length; above - number > 1; ) {
      const middle = (number + above) >>> 1
      if ((this.#firstPositions[middle] as number) <= position) number = middle
      else above = middle
    }
    return { block: this.#sealed[number] as SealedBlock, index: position - (this.#firstPositions[number] as number) }
  }
}

/** Whether the block's state can be asked for. */
export function keepsState(block: SealedBlock): boolean {
  return block instanceof StoredBlock ? block.keepsState : true
}

function entry(block: Block, index: number) {
  const included = block.transactions[index]
  invariant(included, `block ${block.header.number} has no transaction ${index}`)
  return { included, block }
}
