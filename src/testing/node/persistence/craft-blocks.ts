import { logsBloom } from '#node/evm/bloom.ts'
import type { Header, IncludedTransaction, Receipt, StateEdit } from '#node/payload/block.ts'
import { blockSize, bodyLength, hashHeader } from '#node/payload/header.ts'
import { receiptView } from '#node/payload/receipt.ts'
import { decodeJson, encodeJson } from '#node/persistence/json-record.ts'
import { blockKey, META, stateKeys } from '#node/persistence/records.ts'
import type { JournalEntry } from '#node/persistence/whole-chain.ts'
import { OrderedTrie, trieOfBytes } from '#node/state/ordered-trie.ts'
import { encodeBlock, readBlockBody, readBlockHash, readBlockHead } from '#node/storage/block-record.ts'
import { bytesToHex, type Hash } from '#primitives/hex.ts'
import type { FileEdit } from './chain-files.ts'

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

/** A sealed block whose every field may be changed; what follows from others is computed anew. */
export interface CraftedBlock {
  readonly header: Writable<Header>
  readonly transactions: (Writable<Omit<IncludedTransaction, 'receipt'>> & { readonly receipt: Writable<Receipt> })[]
  readonly edits: Writable<StateEdit>[]
}

/** Changes sealed blocks, oldest first, and makes all hashes and roots right again, but that of the pending block. */
export function craftBlocks(change: (block: CraftedBlock, place: number) => void): FileEdit {
  return (entries) => {
    const hashes = new Map<Hash, Hash>()
    const renamed = new Map<string, JournalEntry>()
    const blocks = entries.filter(({ part }) => part === 'blocks').toSorted((a, b) => (a.key < b.key ? -1 : 1))
    for (const [place, entry] of blocks.entries()) {
      const { header } = readBlockHead(entry.value)
      const { transactions, edits } = readBlockBody(entry.value)
      const block: CraftedBlock = {
        header: { ...header, parentHash: hashes.get(header.parentHash) ?? header.parentHash },
        transactions: transactions.map((included) => ({ ...included, receipt: { ...included.receipt } })),
        edits: edits.map((edit) => ({ ...edit })),
      }
      change(block, place)
      const hash = finish(block)
      hashes.set(readBlockHash(entry.value), hash)
      const size = blockSize(
        block.header,
        block.transactions.reduce((sum, { tx }) => sum + bodyLength(tx.raw), 0),
      )
      const value = encodeBlock({ kind: 'sealed', hash, size, ...block, state: NO_STATE })
      renamed.set(entry.key, { part: 'blocks', key: blockKey({ header: block.header, hash }), value })
    }
    const now = (hash: Hash) => hashes.get(hash) ?? hash
    return entries.map((entry) => {
      const { part, key, value } = entry
      if (part === 'blocks') return renamed.get(key) ?? entry
      if (part === 'diffs') return { ...entry, key: renamed.get(key)?.key ?? key }
      if (part === 'states' && key.startsWith('base-'))
        return { ...entry, key: stateKeys.base(now(key.slice(5) as Hash)) }
      if (part !== 'meta' || (key !== META.base && key !== META.present)) return entry
      const record = decodeJson(value, key) as { readonly hash: Hash; readonly head: Hash }
      const moved = key === META.base ? { ...record, hash: now(record.hash) } : { ...record, head: now(record.head) }
      return { ...entry, value: encodeJson(moved) }
    })
  }
}

const NO_STATE = undefined as never

/** Computes what follows from the transactions. @returns The block's hash. */
function finish({ header, transactions }: CraftedBlock): Hash {
  const roots = [trieOfBytes(), new OrderedTrie(receiptView)] as const
  let cumulativeGasUsed = 0n
  for (const { tx, receipt } of transactions) {
    cumulativeGasUsed += receipt.gasUsed
    receipt.cumulativeGasUsed = cumulativeGasUsed
    roots[0].append(tx.raw)
    roots[1].append(receipt)
  }
  header.gasUsed = cumulativeGasUsed
  header.transactionsRoot = bytesToHex(roots[0].root())
  header.receiptsRoot = bytesToHex(roots[1].root())
  header.logsBloom = logsBloom(transactions.flatMap(({ receipt }) => receipt.logs))
  return hashHeader(header)
}
