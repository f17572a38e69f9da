import { ByteReader, ByteReaderError } from '#primitives/byte-reader.ts'
import { equalBytes } from '#primitives/bytes.ts'
import { bytesToHex, type Hash, hexToBytes } from '#primitives/hex.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { Keccak256Stream } from '../crypto/keccak.ts'
import { recoverKeys, type Signed } from '../crypto/recovery.ts'
import { addressOf } from '../crypto/secp256k1.ts'
import { logsBloom } from '../evm/bloom.ts'
import type { Header, SealedBlock } from '../payload/block.ts'
import { blockSize, bodyLength, hashHeader } from '../payload/header.ts'
import { receiptView } from '../payload/receipt.ts'
import { quote } from '../spec/parse-option.ts'
import { CodeStore } from '../state/code-store.ts'
import { OrderedTrie, trieOfBytes } from '../state/ordered-trie.ts'
import { readDifference, readState } from '../state/state-record.ts'
import { HASH_BYTES, readBlockBody, readBlockHead, readBlockStart } from '../storage/block-record.ts'
import { JOURNAL_PARTS, JournalError, type JournalPart } from '../storage/journal.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import { decodeAccepted, readTransaction } from '../tx/decode.ts'
import { impersonationMark, isImpersonated, type Transaction } from '../tx/transaction.ts'
import { wrongFieldOf } from './block-rules.ts'
import { CHECKSUM_BYTES, ChainFileError, FILE_VERSION, MAGIC, PIECE_BYTES } from './chain-file.ts'
import { MAX_STORED_SECONDS, mayRepeatTimestamps, wrongTimestamp } from './check-records.ts'
import { decodeJson } from './json-record.ts'
import type { PresentRecord } from './present-record.ts'
import { blockKey, type ChainRecord, decodePooled, isCodeKey, isKeptKey, META } from './records.ts'
import { unreadable } from './restore-chain.ts'
import { decodeTaken } from './taken-back.ts'
import type { JournalEntry } from './whole-chain.ts'

/** Longest name of an entry, in characters. The longest that a node writes is `snapshot-` or `base-` with a hash. */
const LONGEST_KEY = 100
/** How many senders are recovered in one batch. */
const RECOVERED_AT_ONCE = 64
/** How many entries are read between two looks at the clock. */
const READ_AT_ONCE = 1_000

/**
 * Reads a file made by `encodeChainFile`. Recomputes the file's hash, the hash and the roots of every block, and
 * the sender of every transaction that is not marked as impersonated. Skips snapshots, which the file of a chain that
 * could not be opened may contain.
 *
 * @param onChecked - Called for each block.
 * @throws {ChainFileError}
 */
export async function decodeChainFile(
  file: Uint8Array,
  guard: ExecutionGuard,
  onChecked: (blocks: number, of: number) => void,
): Promise<JournalEntry[]> {
  const entries = (await readEntries(file, guard)).filter(({ part, key }) => !isOfSnapshot(part, key))
  // What a fork has fetched is checked when the chain is opened.
  const isFork = entries.some(({ part, key }) => part === 'states' && isKeptKey(key))
  const senders = new SenderCheck()
  const chainId = chainIdOf(entries)
  const blocks = entries.filter(({ part }) => part === 'blocks').length
  const headers = new Map<Hash, Header>()
  let checked = 0
  for (const { part, key, value } of entries) {
    if (part === 'blocks') {
      const { hash, header } = checkBlock(key, value, senders, chainId)
      headers.set(hash, header)
      onChecked(++checked, blocks)
    } else if (part === 'diffs') checkDifference(key, value)
    else if (part === 'states' && !isCodeKey(key)) checkState(key, value, isFork)
    else if (part === 'transactions') checkPooled(key, value, senders)
    else if (part === 'meta' && key === META.taken) checkWithdrawn(key, value, senders)
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  senders.finish()
  const mayRepeat = mayRepeatIn(entries)
  for (const header of headers.values()) {
    const parent = headers.get(header.parentHash)
    const wrong = parent && wrongTimestamp(header, parent, mayRepeat)
    if (wrong !== undefined) throw wrongBlock(header, wrong)
  }
  return entries
}

async function hashOf(content: Uint8Array, guard: ExecutionGuard): Promise<Uint8Array> {
  const hash = new Keccak256Stream()
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    hash.update(content.subarray(at, at + PIECE_BYTES))
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return hash.digest()
}

async function readEntries(file: Uint8Array, guard: ExecutionGuard): Promise<JournalEntry[]> {
  if (!equalBytes(file.subarray(0, MAGIC.length), MAGIC)) throw new ChainFileError('this is not a Blinknet chain file')
  try {
    const reader = new ByteReader(file.subarray(0, -CHECKSUM_BYTES))
    reader.fixed(MAGIC.length)
    const version = reader.uint()
    if (version !== FILE_VERSION)
      throw new ChainFileError(`the file has version ${version}; this program reads ${FILE_VERSION}`)
    if (!equalBytes(await hashOf(file.subarray(0, -CHECKSUM_BYTES), guard), file.subarray(-CHECKSUM_BYTES))) {
      throw new ChainFileError('the file is damaged: its checksum does not match')
    }
    const entries = new Map<string, JournalEntry>()
    for (let left = reader.uint(); left > 0; left--) {
      const part = JOURNAL_PARTS[reader.uint()]
      if (!part) throw new ChainFileError('the file has an unknown part')
      const name = reader.bytes()
      if (name.length > LONGEST_KEY) {
        throw new ChainFileError(
          `the file has an entry whose name is ${name.length} bytes long; the limit is ${LONGEST_KEY}`,
        )
      }
      const key = String.fromCharCode(...name)
      if (entries.has(`${part} ${key}`)) throw new ChainFileError(`the file has the entry ${quote(key)} twice`)
      entries.set(`${part} ${key}`, { part, key, value: reader.bytes() })
      const pause = left % READ_AT_ONCE === 0 ? guard.checkpoint() : undefined
      if (pause) await pause
    }
    reader.finish()
    return [...entries.values()]
  } catch (error) {
    if (!(error instanceof ByteReaderError)) throw error
    throw new ChainFileError(`the file is damaged: ${error.message}`, { cause: error })
  }
}

/** The chain id of the file's options, which are checked when the chain is opened. */
function chainIdOf(entries: readonly JournalEntry[]): bigint {
  const entry = entries.find(({ part, key }) => part === 'meta' && key === META.chain)
  try {
    const record = entry && (decodeJson(entry.value, 'description of the chain') as Partial<ChainRecord> | null)
    const chainId: unknown = record?.options?.chainId
    return BigInt(Number.isSafeInteger(chainId) ? (chainId as number) : OPTION_RANGES.chainId.default)
  } catch (error) {
    throw unreadableEntry('the record', META.chain, error)
  }
}

/** Whether its blocks may have their parents' timestamps. All else in these records is checked when the chain is opened. */
function mayRepeatIn(entries: readonly JournalEntry[]): boolean {
  const read = <Kept>(name: string): Partial<Kept> => {
    const entry = entries.find(({ part, key }) => part === 'meta' && key === name)
    try {
      return (entry && (decodeJson(entry.value, 'description of the chain') as Partial<Kept> | null)) ?? {}
    } catch (error) {
      throw unreadableEntry('the record', name, error)
    }
  }
  const { options } = read<ChainRecord>(META.chain)
  const { production } = read<PresentRecord>(META.present)
  return mayRepeatTimestamps(options ?? {}, production ?? {})
}

/** Reads a whole state, which checks each piece against its hash. That of a fork is a difference. */
function checkState(key: string, record: Uint8Array, isFork: boolean): void {
  if (isKeptKey(key)) return
  if (isFork) return checkDifference(key, record)
  try {
    const reader = new ByteReader(record)
    const state = readState(reader, new CodeStore())
    reader.finish()
    state.stateRoot()
    for (const [address] of state.accounts()) Array.from(state.slots(address))
  } catch (error) {
    throw unreadableEntry('state', key, error)
  }
}

function checkDifference(key: string, record: Uint8Array): void {
  try {
    const reader = new ByteReader(record)
    readDifference(reader)
    reader.finish()
  } catch (error) {
    throw unreadableEntry('the changes of the state in block', key, error)
  }
}

function checkPooled(key: string, record: Uint8Array, senders: SenderCheck): void {
  try {
    const { tx } = decodePooled(record)
    if (tx.hash !== key) throw new ChainFileError(`transaction ${quote(key)} of the file is ${tx.hash}`)
    senders.add(tx)
  } catch (error) {
    throw unreadableEntry('transaction', key, error)
  }
}

function checkWithdrawn(key: string, record: Uint8Array, senders: SenderCheck): void {
  try {
    for (const { included } of decodeTaken(record)) {
      for (const [raw, sender] of included) senders.add(decodeAccepted(hexToBytes(raw), sender))
    }
  } catch (error) {
    throw unreadableEntry('the record', key, error)
  }
}

type CheckedBlock = Pick<SealedBlock, 'hash' | 'header'>

function checkBlock(key: string, record: Uint8Array, senders: SenderCheck, chainId: bigint): CheckedBlock {
  try {
    const { hash, transactionHashes } = readBlockStart(record)
    const { header, size } = readBlockHead(record)
    const body = readBlockBody(record)
    const { transactions } = body
    const roots = [trieOfBytes(), new OrderedTrie(receiptView)] as const
    for (const { tx, receipt } of transactions) {
      roots[0].append(tx.raw)
      roots[1].append(receipt)
      senders.add(tx)
    }
    const logs = transactions.flatMap(({ receipt }) => receipt.logs)
    const gasUsed = transactions.at(-1)?.receipt.cumulativeGasUsed ?? 0n
    const bodyBytes = transactions.reduce((sum, { tx }) => sum + bodyLength(tx.raw), 0)
    const holds =
      key === blockKey({ header, hash }) &&
      hashHeader(header) === hash &&
      header.timestamp <= MAX_STORED_SECONDS &&
      header.gasUsed === gasUsed &&
      equalBytes(header.logsBloom, logsBloom(logs)) &&
      size === blockSize(header, bodyBytes) &&
      bytesToHex(roots[0].root()) === header.transactionsRoot &&
      bytesToHex(roots[1].root()) === header.receiptsRoot &&
      HASH_BYTES * transactions.length === transactionHashes.length &&
      transactions.every(
        ({ tx }, i) => tx.hash === bytesToHex(transactionHashes.subarray(HASH_BYTES * i, HASH_BYTES * (i + 1))),
      )
    if (!holds) throw new ChainFileError(`block ${header.number} of the file does not match its hash`)
    const wrong = wrongFieldOf({ header, ...body }, chainId)
    if (wrong !== undefined) throw wrongBlock(header, wrong)
    return { hash, header }
  } catch (error) {
    throw unreadableEntry('block', key, error)
  }
}

/**
 * Whether a stored block is one that a node has made: its hash, its roots, the senders of its transactions, and every
 * field.
 */
export function isWholeBlock(key: string, record: Uint8Array, chainId: bigint): boolean {
  const senders = new SenderCheck()
  return passes(() => {
    checkBlock(key, record, senders, chainId)
    senders.finish()
  })
}

/** Whether a stored transaction is whole, and signed by its sender. */
export function isWholeTransaction(key: string, record: Uint8Array): boolean {
  const senders = new SenderCheck()
  return passes(() => {
    checkPooled(key, record, senders)
    senders.finish()
  })
}

/** Whether a check finds nothing. */
function passes(check: () => void): boolean {
  try {
    check()
    return true
  } catch (error) {
    const cause = unreadable(error)
    if (cause instanceof ChainFileError || cause instanceof JournalError) return false
    throw error
  }
}

/** Whether an entry belongs to a snapshot. */
export function isOfSnapshot(part: JournalPart, key: string): boolean {
  return part === 'snapshots' || (part === 'states' && key.startsWith('snapshot-'))
}

/** Recovers and checks the senders of transactions in batches. */
class SenderCheck {
  #waiting: { readonly tx: Transaction; readonly signed: Signed }[] = []

  /** @throws {ChainFileError | TxRejectedError} Possibly for a transaction added earlier. */
  add(tx: Transaction): void {
    // The signature fields of an impersonated transaction hold the sender's address.
    const { r } = impersonationMark(tx.sender)
    if (isImpersonated(tx) && (tx.r === r || tx.r === BigInt(tx.sender))) return
    this.#waiting.push({ tx, signed: readTransaction(tx.raw).signed })
    if (this.#waiting.length >= RECOVERED_AT_ONCE) this.finish()
  }

  /** @throws {ChainFileError} */
  finish(): void {
    const keys = recoverKeys(this.#waiting.map(({ signed }) => signed))
    for (const [i, { tx }] of this.#waiting.entries()) {
      const key = keys[i]
      if (key === undefined || addressOf(key) !== tx.sender) {
        throw new ChainFileError(`transaction ${tx.hash} of the file was not signed by its sender ${tx.sender}`)
      }
    }
    this.#waiting = []
  }
}

function wrongBlock({ number }: Header, wrong: string): ChainFileError {
  return new ChainFileError(`block ${number} of the file: ${wrong}`)
}

function unreadableEntry(what: string, key: string, error: unknown): unknown {
  const cause = unreadable(error)
  if (!(cause instanceof JournalError)) return error
  return new ChainFileError(`${what} ${quote(key)} of the file cannot be read: ${cause.message}`, { cause: error })
}
