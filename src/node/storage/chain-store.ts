import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Block, IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import { encodeBlock } from './block-record.ts'
import type { ChainReader } from './chain-reader.ts'
import { StoredBlock } from './stored-block.ts'

/** The newest blocks whose states are kept, besides block 0; of older ones all else stays readable. */
export const STATES_KEPT = 256

/** Sealed blocks and the live one, with the indices that look-ups need. */
export class ChainStore implements ChainReader {
  readonly #sealed: SealedBlock[]
  /** From here on down to block 1 no block has its state. */
  #prunedUpTo = 0
  readonly #numberByHash = new Map<Hash, number>()
  readonly #placeByTransaction = new Map<Hash, { readonly number: number; readonly index: number }>()
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
    for (const [index, hash] of transactionHashes.entries()) this.#placeByTransaction.set(hash, { number, index })
  }

  /** Whether the state of a sealed block is kept. */
  hasState(number: number): boolean {
    return number === 0 || (number > this.#prunedUpTo && number < this.#sealed.length)
  }

  /** Takes the states that the same blocks of `chain` have and the store has let go of. */
  adoptStates(chain: readonly SealedBlock[]): void {
    for (const [number, block] of chain.entries()) {
      const own = this.#sealed[number]
      if (own?.hash === block.hash && !keepsState(own) && keepsState(block)) this.#sealed[number] = block
    }
    this.#findPruned()
  }

  /** The sealed blocks from `number` on have their states, and the one before has not. */
  #findPruned(): void {
    let number = this.#sealed.length - 1
    while (number > 0 && keepsState(this.#sealed[number] as SealedBlock)) number--
    this.#prunedUpTo = number
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
        // A nonce that was set back lets the same transaction be sealed twice.
        if (this.#placeByTransaction.get(tx.hash)?.number === block.header.number) {
          this.#placeByTransaction.delete(tx.hash)
        }
      }
    }
    this.#findPruned()
    for (const block of blocks) this.#append(block)
    this.setPending(pending)
    return removed
  }

  /** Lets go of the states that are too old, and of everything that can be read again from fewer bytes. */
  #prune(): void {
    const last = this.head().header.number - STATES_KEPT
    for (let number = this.#prunedUpTo + 1; number <= last; number++) {
      const block = this.#sealed[number] as SealedBlock
      this.#sealed[number] =
        block instanceof StoredBlock ? block.withoutState() : new StoredBlock(block.hash, encodeBlock(block))
      this.#prunedUpTo = number
    }
  }

  #append(block: SealedBlock): void {
    invariant(block.header.number === this.#sealed.length, 'blocks are sealed in order')
    invariant(block.header.parentHash === this.head().hash, 'a block follows its parent')
    this.#sealed.push(block)
    this.#numberByHash.set(block.hash, block.header.number)
    for (const { tx, transactionIndex } of block.transactions) {
      this.#placeByTransaction.set(tx.hash, { number: block.header.number, index: transactionIndex })
    }
    this.#prune()
  }
}

function keepsState(block: SealedBlock): boolean {
  return block instanceof StoredBlock ? block.keepsState : true
}

function entry(block: Block, index: number) {
  const included = block.transactions[index]
  invariant(included, `block ${block.header.number} has no transaction ${index}`)
  return { included, block }
}
