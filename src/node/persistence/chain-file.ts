import { ByteReader, ByteReaderError } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { equalBytes } from '#primitives/bytes.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { InvariantError } from '#primitives/invariant.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { ExecutionGuard } from '../evm/engine.ts'
import { hashHeader } from '../payload/header.ts'
import { receiptView } from '../payload/receipt.ts'
import { CodeStore } from '../state/code-store.ts'
import { OrderedTrie, trieOfBytes } from '../state/ordered-trie.ts'
import { readState } from '../state/state-record.ts'
import { readBlockBody, readBlockHead, readBlockStart } from '../storage/block-record.ts'
import { JOURNAL_PARTS } from '../storage/journal.ts'
import { TxRejectedError } from '../tx/rejection.ts'
import { isCodeKey } from './records.ts'
import type { JournalEntry } from './whole-chain.ts'

/** The first bytes of every file: BLINKNET. */
const MAGIC = Uint8Array.from('BLINKNET', (character) => character.charCodeAt(0))
/** Version of what comes behind them. */
const VERSION = 1
const CHECKSUM_BYTES = 32

/** A file is not a chain, or not a whole one. `message` is for people. */
export class ChainFileError extends Error {
  override readonly name = 'ChainFileError'
}

/** A chain as one file: its name, its version, a journal's entries, and the keccak256 of all that. */
export function encodeChainFile(entries: readonly JournalEntry[]): Uint8Array {
  const writer = new ByteWriter().fixed(MAGIC).uint(VERSION)
  writer.list(entries, ({ part, key, value }) => {
    writer.uint(JOURNAL_PARTS.indexOf(part))
    writer.bytes(Uint8Array.from(key, (character) => character.charCodeAt(0)))
    writer.bytes(value)
  })
  const content = writer.finish()
  return new ByteWriter().fixed(content).fixed(keccak256(content)).finish()
}

/**
 * Reads what {@link encodeChainFile} wrote, and recomputes the hash and the roots of every block.
 *
 * @throws {ChainFileError}
 */
export async function decodeChainFile(file: Uint8Array, guard: ExecutionGuard): Promise<JournalEntry[]> {
  const entries = readEntries(file)
  for (const { part, key, value } of entries) {
    if (part === 'blocks') checkBlock(key, value)
    else if (part === 'states' && !isCodeKey(key)) checkState(key, value)
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return entries
}

function readEntries(file: Uint8Array): JournalEntry[] {
  if (!equalBytes(file.subarray(0, MAGIC.length), MAGIC)) throw new ChainFileError('this is not a chain of Blinknet')
  try {
    const reader = new ByteReader(file.subarray(0, -CHECKSUM_BYTES))
    reader.fixed(MAGIC.length)
    const version = reader.uint()
    if (version !== VERSION) throw new ChainFileError(`the file has version ${version}; this program reads ${VERSION}`)
    const content = file.subarray(0, -CHECKSUM_BYTES)
    if (!equalBytes(keccak256(content), file.subarray(-CHECKSUM_BYTES))) {
      throw new ChainFileError('the file is damaged: its checksum is another one')
    }
    const entries = reader.list((): JournalEntry => {
      const part = JOURNAL_PARTS[reader.uint()]
      if (!part) throw new ChainFileError('the file has a part that is not known')
      return { part, key: String.fromCharCode(...reader.bytes()), value: reader.bytes() }
    })
    reader.finish()
    return entries
  } catch (error) {
    if (!(error instanceof ByteReaderError)) throw error
    throw new ChainFileError(`the file is damaged: ${error.message}`, { cause: error })
  }
}

/** Reads all of a state, each piece of which is checked against its hash when it is read. */
function checkState(key: string, record: Uint8Array): void {
  try {
    const reader = new ByteReader(record)
    const state = readState(reader, new CodeStore())
    reader.finish()
    state.stateRoot()
    for (const [address] of state.accounts()) Array.from(state.slots(address))
  } catch (error) {
    if (!(error instanceof ByteReaderError || error instanceof InvariantError)) throw error
    throw new ChainFileError(`state ${key} of the file cannot be read: ${error.message}`, { cause: error })
  }
}

function checkBlock(key: string, record: Uint8Array): void {
  try {
    const { hash, transactionHashes } = readBlockStart(record)
    const { header } = readBlockHead(record)
    const { transactions } = readBlockBody(record)
    const roots = [trieOfBytes(), new OrderedTrie(receiptView)] as const
    for (const { tx, receipt } of transactions) {
      roots[0].append(tx.raw)
      roots[1].append(receipt)
    }
    const holds =
      hashHeader(header) === hash &&
      bytesToHex(roots[0].root()) === header.transactionsRoot &&
      bytesToHex(roots[1].root()) === header.receiptsRoot &&
      transactions.length === transactionHashes.length &&
      transactions.every(({ tx }, i) => tx.hash === transactionHashes[i])
    if (!holds) throw new ChainFileError(`block ${header.number} of the file is not what its hash says`)
  } catch (error) {
    if (!(error instanceof ByteReaderError || error instanceof TxRejectedError)) throw error
    throw new ChainFileError(`block ${key} of the file cannot be read: ${error.message}`, { cause: error })
  }
}
