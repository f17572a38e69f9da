import { addLogs, EMPTY_BLOOM, emptyBloom } from '../evm/bloom.ts'
import { createdAddress } from '../evm/contract-address.ts'
import type { AppliedTransaction } from '../evm/transactions/apply-transaction.ts'
import { OrderedTrie, trieOfBytes } from '../state/ordered-trie.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { IncludedTransaction, Receipt } from './block.ts'
import { bodyLength } from './header.ts'
import { receiptView } from './receipt.ts'

/** The transactions of the block under construction, with everything their header fields need. */
export class BlockBody {
  #transactionsTrie = trieOfBytes()
  #receiptsTrie = new OrderedTrie(receiptView)
  #bloom = emptyBloom()
  #included: IncludedTransaction[] = []
  #gasUsed = 0n
  #logCount = 0
  #bytes = 0

  /** Gas of all transactions. */
  get gasUsed(): bigint {
    return this.#gasUsed
  }

  /** Sum of the transactions' lengths in the block's RLP. */
  get bytes(): number {
    return this.#bytes
  }

  get length(): number {
    return this.#included.length
  }

  transactionsRoot(): Uint8Array {
    return this.#transactionsTrie.root()
  }

  receiptsRoot(): Uint8Array {
    return this.#receiptsTrie.root()
  }

  /** The bloom of all logs so far: 256 bytes that never change. */
  bloom(): Uint8Array {
    return this.#logCount === 0 ? EMPTY_BLOOM : this.#bloom.slice()
  }

  /** A copy of the list. */
  transactions(): IncludedTransaction[] {
    return this.#included.slice()
  }

  /** Adds a transaction executed in partial block `partialIndex`. */
  append(tx: Transaction, applied: AppliedTransaction, partialIndex: number): void {
    this.#gasUsed += applied.gasUsed
    const receipt: Receipt = {
      type: tx.type,
      status: applied.failure ? 0 : 1,
      gasUsed: applied.gasUsed,
      cumulativeGasUsed: this.#gasUsed,
      logs: applied.logs,
      contractAddress: tx.to === null ? createdAddress(tx.sender, tx.nonce) : null,
      effectiveGasPrice: applied.effectiveGasPrice,
      l1: applied.l1,
    }
    addLogs(this.#bloom, applied.logs)
    this.#transactionsTrie.append(tx.raw)
    this.#receiptsTrie.append(receipt)
    this.#bytes += bodyLength(tx.raw)
    const transactionIndex = this.#included.length
    this.#included.push({ tx, receipt, transactionIndex, partialIndex, firstLogIndex: this.#logCount })
    this.#logCount += receipt.logs.length
  }

  /** An independent copy, at the cost of copying the list. */
  branch(): BlockBody {
    const copy = new BlockBody()
    copy.#transactionsTrie = this.#transactionsTrie.branch()
    copy.#receiptsTrie = this.#receiptsTrie.branch()
    copy.#bloom = this.#bloom.slice()
    copy.#included = this.#included.slice()
    copy.#gasUsed = this.#gasUsed
    copy.#logCount = this.#logCount
    copy.#bytes = this.#bytes
    return copy
  }
}
