import type { Hash } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Block, IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { ChainReader } from './chain-reader.ts'

/** Sealed blocks and the live one, with the indices that look-ups need. */
export class ChainStore implements ChainReader {
  readonly #sealed: SealedBlock[]
  readonly #numberByHash = new Map<Hash, number>()
  readonly #placeByTransaction = new Map<Hash, { readonly number: number; readonly index: number }>()
  /** Position in the live block of its transactions. */
  readonly #live = new Map<Hash, number>()
  #pending: PartialBlock | undefined

  constructor(genesis: SealedBlock) {
    this.#sealed = [genesis]
    this.#numberByHash.set(genesis.hash, 0)
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
    invariant(partial.header.number === this.#sealed.length, 'the live block follows the head')
    if (partial.restarts) this.#live.clear()
    for (const { tx, transactionIndex } of partial.transactions.slice(this.#live.size)) {
      this.#live.set(tx.hash, transactionIndex)
    }
    this.#pending = partial
  }

  /** Appends a sealed block and puts the first partial block of its successor in place, in one step. */
  seal(block: SealedBlock, next: PartialBlock): void {
    invariant(block.header.number === this.#sealed.length, 'blocks are sealed in order')
    this.#sealed.push(block)
    this.#numberByHash.set(block.hash, block.header.number)
    for (const { tx, transactionIndex } of block.transactions) {
      this.#placeByTransaction.set(tx.hash, { number: block.header.number, index: transactionIndex })
    }
    this.setPending(next)
  }

  /**
   * Takes back the sealed blocks above `number`. The live block stands on one of them: the caller sets another.
   *
   * @returns The blocks that are gone, newest first.
   */
  truncate(number: number): readonly SealedBlock[] {
    invariant(number >= 0 && number < this.#sealed.length, 'the chain does not go back there')
    const removed = this.#sealed.splice(number + 1).toReversed()
    for (const block of removed) {
      this.#numberByHash.delete(block.hash)
      for (const { tx } of block.transactions) this.#placeByTransaction.delete(tx.hash)
    }
    return removed
  }
}

function entry(block: Block, index: number) {
  const included = block.transactions[index]
  invariant(included, `block ${block.header.number} has no transaction ${index}`)
  return { included, block }
}
