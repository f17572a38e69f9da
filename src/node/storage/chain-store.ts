import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Block, IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { ChainReader } from './chain-reader.ts'
import { recordOf, StoredBlock } from './stored-block.ts'

/** The newest blocks whose states are kept, besides block 0; of older ones all else stays readable. */
export const STATES_KEPT = 256
/** The newest blocks that stand as they were sealed; older ones are bytes, which take a fraction of the memory. */
const PARSED_KEPT = 4

/** Where a sealed transaction stands. */
interface Place {
  readonly number: number
  readonly index: number
  /** A nonce that was set back lets the same transaction be sealed once more. */
  readonly earlier?: Place
}

/** Sealed blocks and the live one, with the indices that look-ups need. */
export class ChainStore implements ChainReader {
  readonly #sealed: SealedBlock[]
  /** From here on down to block 1 no block has its state. */
  #prunedUpTo = 0
  /** From here on down to block 1 every block is bytes. */
  #storedUpTo = 0
  readonly #numberByHash = new Map<Hash, number>()
  readonly #placeByTransaction = new Map<Hash, Place>()
  /** Position in the live block of its transactions. */
  readonly #live = new Map<Hash, number>()
  #pending: PartialBlock | undefined

  /** @param genesis - Keeps its state for ever. */
  constructor(genesis: SealedBlock) {
    this.#sealed = [genesis]
    this.#numberByHash.set(genesis.hash, 0)
  }

  /**
   * Appends a block of an earlier run.
   *
   * @param transactionHashes - Of its transactions, so that they need not be read for the index.
   */
  restore(block: SealedBlock, number: number, transactionHashes: readonly Hash[]): void {
    invariant(number === this.#sealed.length, 'blocks are restored in order')
    this.#sealed.push(block)
    this.#numberByHash.set(block.hash, number)
    for (const [index, hash] of transactionHashes.entries()) this.#place(hash, number, index)
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
    const number = this.#numberByHash.get(hash)
    return number === undefined ? undefined : this.#sealed[number]
  }

  findTransaction(hash: Hash): { readonly included: IncludedTransaction; readonly block: Block } | undefined {
    const place = this.#placeByTransaction.get(hash)
    if (place) return entry(this.#sealed[place.number] as SealedBlock, place.index)
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
    const removed = this.#sealed.splice(number + 1).toReversed()
    for (const block of removed) {
      this.#numberByHash.delete(block.hash)
      for (const { tx } of block.transactions) {
        const earlier = this.#placeByTransaction.get(tx.hash)?.earlier
        if (earlier) this.#placeByTransaction.set(tx.hash, earlier)
        else this.#placeByTransaction.delete(tx.hash)
      }
    }
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
        this.#sealed[number] = new StoredBlock(block.hash, recordOf(block), () => state)
      }
      this.#storedUpTo = number
    }
    for (let number = this.#prunedUpTo + 1; number <= head - STATES_KEPT; number++) {
      const block = this.#sealed[number] as SealedBlock
      this.#sealed[number] = new StoredBlock(block.hash, recordOf(block))
      this.#prunedUpTo = number
    }
  }

  #append(block: SealedBlock): void {
    invariant(block.header.number === this.#sealed.length, 'blocks are sealed in order')
    invariant(block.header.parentHash === this.head().hash, 'a block follows its parent')
    this.#sealed.push(block)
    this.#numberByHash.set(block.hash, block.header.number)
    for (const { tx, transactionIndex } of block.transactions) {
      this.#place(tx.hash, block.header.number, transactionIndex)
    }
    this.#prune()
  }

  #place(hash: Hash, number: number, index: number): void {
    const earlier = this.#placeByTransaction.get(hash)
    this.#placeByTransaction.set(hash, earlier ? { number, index, earlier } : { number, index })
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
