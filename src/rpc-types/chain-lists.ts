import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'

/** Where a page of a list ended: the next page has what stands before it. */
export interface RpcListPlace {
  readonly blockNumber: Quantity
  /** The index of a transaction or a log in its block; without it, all of the block comes next. */
  readonly index?: Quantity
}

/** Blocks to look at; both ends are among them. */
export interface RpcListRange {
  readonly fromBlock?: Quantity
  readonly toBlock?: Quantity
}

export interface RpcBlockFilter extends RpcListRange {
  /** `true`: only blocks with transactions; `false`: only empty ones. */
  readonly hasTransactions?: boolean
}

/** A block in a list. */
export interface RpcListedBlock {
  readonly number: Quantity
  /** The live block’s is that of its newest partial block. */
  readonly hash: Hash
  readonly timestamp: Quantity
  readonly isSealed: boolean
  readonly gasUsed: Quantity
  readonly gasLimit: Quantity
  /** Wei per gas. */
  readonly baseFeePerGas: Quantity
  /** Number of its transactions that failed. */
  readonly failed: number
  /** Number of transactions that each partial block added, from index 0 to the last one that added any. */
  readonly transactionsByPartial: readonly number[]
}

export interface RpcBlockPage {
  /** Newest first. */
  readonly blocks: readonly RpcListedBlock[]
  /** Number of the newest block that was not looked at; `null` at the end. */
  readonly next: Quantity | null
}

export interface RpcTransactionFilter extends RpcListRange {
  /** The sender. */
  readonly from?: Address
  /** Who was called; `null`: those that create a contract. */
  readonly to?: Address | null
  /** The sender, who was called, or the contract that was created. */
  readonly account?: Address
  readonly status?: 'success' | 'failed'
  /** The first 4 bytes of the input, or one of several; `0x`: no input, as plain transfers have. */
  readonly selector?: Hex | readonly Hex[]
  /** `true`: only those in sealed blocks; `false`: only pre-confirmed ones. */
  readonly isSealed?: boolean
}

/** A pre-confirmed or sealed transaction in a list. */
export interface RpcListedTransaction {
  readonly hash: Hash
  readonly blockNumber: Quantity
  readonly transactionIndex: Quantity
  /** Index of the partial block that added it. */
  readonly partialIndex: number
  readonly isSealed: boolean
  /** When its block began, in seconds since the Unix epoch. */
  readonly timestamp: Quantity
  readonly from: Address
  readonly to: Address | null
  /** The contract that it created, or would have. */
  readonly contractAddress: Address | null
  readonly nonce: Quantity
  /** Wei. */
  readonly value: Quantity
  /** At most the first 4 bytes of its input. */
  readonly input: Hex
  readonly status: '0x0' | '0x1'
  readonly gasUsed: Quantity
}

export interface RpcTransactionPage {
  /** Newest first. */
  readonly transactions: readonly RpcListedTransaction[]
  /** `null` at the end. */
  readonly next: RpcListPlace | null
}

export interface RpcLogListFilter extends RpcListRange {
  readonly address?: Address | readonly Address[]
  /** As in `eth_getLogs`. */
  readonly topics?: readonly (Hash | null | readonly (Hash | null)[])[]
  /** A word that is one of its topics after the first, or one of the words of its data. */
  readonly word?: Hash
}

export interface RpcAccountFilter {
  /** `true`: only accounts with code, without those that delegate (EIP-7702); `false`: only the others. */
  readonly isContract?: boolean
}

/** An account in a list, as at `pending`. */
export interface RpcListedAccount {
  readonly address: Address
  /** Wei. */
  readonly balance: Quantity
  readonly nonce: Quantity
  /** Bytes of its code. */
  readonly codeSize: number
  /** To which it delegates (EIP-7702). */
  readonly delegatedTo: Address | null
}

export interface RpcAccountPage {
  /** In the order of the state's trie, which is that of the addresses' hashes. */
  readonly accounts: readonly RpcListedAccount[]
  /** The last account that was looked at; `null` at the end. */
  readonly next: Address | null
}
