import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Block, IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { ChainReader } from './chain-reader.ts'
import { HashIndex } from './hash-index.ts'
import { RecordPages } from './record-pages.ts'
import { recordOf, StoredBlock, transactionHashOf } from './stored-block.ts'

/**
 * How many of the newest blocks keep their states, besides block 0. Everything else about older blocks stays readable.
 */
export const STATES_KEPT = 256
/**
 * How many of the newest blocks are kept as objects. Older ones are kept as bytes, which take a fraction of the memory.
 */
const PARSED_KEPT = 4

/** Sealed blocks and the live one, with the indices for look-ups. */
export class ChainStore implements ChainReader {
  readonly #sealed: SealedBlock[] = []
  /** Blocks 1 to this one have no state. */
  #prunedUpTo = 0
  /** Blocks 1 to this one are kept as bytes. */
  #storedUpTo = 0
  /** Blocks whose states are gone. */
  readonly #pages = new RecordPages()
  /** By number. */
  readonly #hashes = new HashIndex((number) => (this.#sealed[number] as SealedBlock).hash)
  /** All sealed transactions in order. A transaction can be sealed twice if its nonce was lowered. */
  readonly #transactions = new HashIndex((position) => {
    const { block, index } = this.#placeOf(position)
    return transactionHashOf(block, index)
  })
  /** For each sealed block, the position in `#transactions` of its first transaction, or where that would be. */
  readonly #firstPositions: number[] = []
  /** Index of each transaction in the live block. */
  readonly #live = new Map<Hash, number>()
  #pending: PartialBlock | undefined

  /** @param genesis - Always keeps its state. */
  constructor(genesis: SealedBlock) {
    this.#add(genesis, [])
  }

  /**
   * Appends a block of an earlier run.
   *
   * @param transactionHashes - Hashes of its transactions, so that the index does not need to read them.
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

  /** Takes over the states that blocks of `chain` still have and this store has released. */
  adoptStates(chain: readonly SealedBlock[]): void {
    for (const [number, block] of chain.entries()) {
      const own = this.#sealed[number]
      if (own?.hash === block.hash && !keepsState(own) && keepsState(block)) this.#sealed[number] = block
    }
    this.#findPruned()
  }

  /** Blocks that returned without their states may be above others that have theirs. */
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

  /** A transaction of the live block, even if it was sealed before as well. */
  liveTransaction(hash: Hash): Transaction | undefined {
    const index = this.#live.get(hash)
    return index === undefined ? undefined : this.pending().transactions[index]?.tx
  }

  /** Makes `partial` the pending block. */
  setPending(partial: PartialBlock): void {
    invariant(partial.header.parentHash === this.head().hash, 'the live block must follow the head')
    if (partial.restarts) this.#live.clear()
    for (const { tx, transactionIndex } of partial.transactions.slice(this.#live.size)) {
      this.#live.set(tx.hash, transactionIndex)
    }
    this.#pending = partial
  }

  /** Appends a sealed block and sets its successor's first partial block, in one step. */
  seal(block: SealedBlock, next: PartialBlock): void {
    this.#append(block)
    this.setPending(next)
  }

  /** All sealed blocks, from block 0; a copy. */
  sealed(): readonly SealedBlock[] {
    return this.#sealed.slice()
  }

  /**
   * Replaces the sealed blocks above `number`, and the live block, in one step.
   *
   * @param pending - A partial block that `restarts`.
   * @returns The removed blocks, newest first.
   */
  rewrite(number: number, blocks: readonly SealedBlock[], pending: PartialBlock): readonly SealedBlock[] {
    invariant(number >= 0 && number < this.#sealed.length, 'the chain is too short for that')
    this.#hashes.truncate(number + 1)
    this.#transactions.truncate(this.#firstPositions[number + 1] ?? this.#transactions.length)
    this.#firstPositions.length = number + 1
    const removed = this.#sealed.splice(number + 1).toReversed()
    this.#findPruned()
    for (const block of blocks) this.#append(block)
    this.setPending(pending)
    return removed
  }

  /** Releases states that are too old, and turns old blocks into bytes. */
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
    invariant(block.header.number === this.#sealed.length, 'blocks must be sealed in order')
    invariant(block.header.parentHash === this.head().hash, 'a block must follow its parent')
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
    // The last block that starts at or before it. Empty blocks start where the next one does.
    let number = 0
    for (let above = this.#sealed.length; above - number > 1; ) {
      const middle = (number + above) >>> 1
      if ((this.#firstPositions[middle] as number) <= position) number = middle
      else above = middle
    }
    return { block: this.#sealed[number] as SealedBlock, index: position - (this.#firstPositions[number] as number) }
  }
}

/** Whether the block's state is available. */
export function keepsState(block: SealedBlock): boolean {
  return block instanceof StoredBlock ? block.keepsState : true
}

function entry(block: Block, index: number) {
  const included = block.transactions[index]
  invariant(included, `block ${block.header.number} has no transaction ${index}`)
  return { included, block }
}
