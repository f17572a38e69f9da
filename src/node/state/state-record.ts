import { type ByteReader, ByteReaderError } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { bytesToHex, type Hash } from '#primitives/hex.ts'
import { keccak256View } from '../crypto/keccak.ts'
import {
  type AccountLeaf,
  ADDRESS_BYTES,
  accountLeaf,
  accountOf,
  addressOf,
  balanceStart,
  createStorageTrie,
  encodeAccount,
  encodeSlot,
  NONCE_AT,
  plainLeaf,
  type SlotLeaf,
  slotLeaf,
  slotOf,
  storageOf,
  valueOf,
} from './account-trie.ts'
import { type ByteText, bytesOfText, byteText } from './byte-text.ts'
import type { CodeStore } from './code-store.ts'
import type { AccountChange, SlotChange, StateDifference } from './state-difference.ts'
import { type Account, EMPTY_CODE_HASH } from './state-reader.ts'
import { StateSnapshot } from './state-snapshot.ts'
import { Trie } from './trie.ts'
import { slotKey } from './trie-keys.ts'
import type { EntryFormat } from './trie-record.ts'

/** The byte before an account. */
const MARKS = { absent: 0, withoutCode: 1, withCode: 2 } as const

function writeAccount(writer: ByteWriter, account: Account | undefined): void {
  if (account === undefined) {
    writer.uint(MARKS.absent)
    return
  }
  const withCode = account.codeHash !== EMPTY_CODE_HASH
  writer
    .uint(withCode ? MARKS.withCode : MARKS.withoutCode)
    .bigint(account.nonce)
    .bigint(account.balance)
  if (withCode) writer.hex(account.codeHash)
}

function readAccount(reader: ByteReader): Account | undefined {
  const mark = reader.uint()
  if (mark === MARKS.absent) return undefined
  const nonce = reader.bigint()
  const balance = reader.bigint()
  if (nonce >= 2n ** 64n) throw new ByteReaderError('an account has a nonce of more than 64 bits')
  if (balance >= 2n ** 256n) throw new ByteReaderError('an account has a balance of more than 256 bits')
  return { nonce, balance, codeHash: mark === MARKS.withCode ? reader.hex(32) : EMPTY_CODE_HASH }
}

/** Writes the difference between two states, without codes. */
export function writeDifference(writer: ByteWriter, difference: StateDifference): void {
  writer.list(difference, ({ address, before, after, slots }) => {
    writer.hex(address)
    writeAccount(writer, before)
    writeAccount(writer, after)
    writer.list(slots, (change) => writer.hex(change.slot).bytes(change.before).bytes(change.after))
  })
}

/** Reads what {@link writeDifference} wrote. */
export function readDifference(reader: ByteReader): StateDifference {
  return reader.list(
    (): AccountChange => ({
      address: reader.hex(20),
      before: readAccount(reader),
      after: readAccount(reader),
      slots: reader.list(
        (): SlotChange => ({ slot: reader.hex(32), before: readWord(reader), after: readWord(reader) }),
      ),
    }),
  )
}

/** A slot's value: big-endian without leading zeros, empty for 0. */
function readWord(reader: ByteReader): Uint8Array {
  const value = reader.bytes()
  if (value.length > 32) throw new ByteReaderError('a state has a slot of more than 32 bytes')
  if (value[0] === 0) throw new ByteReaderError('a state has a slot that begins with zeros')
  return value
}

const SLOTS: EntryFormat<SlotLeaf> = {
  write(writer, leaf) {
    writer.hex(slotOf(leaf)).bytes(bytesOfText(valueOf(leaf)))
    return undefined
  },
  read(reader) {
    const slot: Hash = reader.hex(32)
    const value = readWord(reader)
    if (value.length === 0) throw new ByteReaderError('a state has a slot that is 0')
    return [slotKey(slot), slotLeaf(slot, byteText(value))]
  },
}

/** What is written of an account without storage. */
const NO_STORAGE = emptyStorage()

function emptyStorage(): Uint8Array {
  const writer = new ByteWriter()
  for (const pieces = createStorageTrie().write(writer, SLOTS); !pieces.next().done; );
  return writer.finish()
}

/**
 * In pieces, as a contract can have millions of slots.
 *
 * @param packs - As of `writeNode`.
 */
function writeLeaf(writer: ByteWriter, leaf: AccountLeaf, packs: boolean): Generator<void, void> | undefined {
  if (typeof leaf === 'string') {
    writePlain(writer, leaf)
    return undefined
  }
  writeAccount(writer.hex(addressOf(leaf)), accountOf(leaf))
  const storage = storageOf(leaf)
  if (storage) return storage.write(writer, SLOTS, packs)
  writer.fixed(NO_STORAGE)
  return undefined
}

const ACCOUNTS: EntryFormat<AccountLeaf> = {
  write: (writer, leaf) => writeLeaf(writer, leaf, false),
  read(reader) {
    const address = reader.fixed(ADDRESS_BYTES)
    const key = byteText(keccak256View(address))
    const mark = reader.uint()
    if (mark === MARKS.absent) throw new ByteReaderError('a state has an account that does not exist')
    const nonce = readNumber(reader, 8, 'nonce')
    const balance = readNumber(reader, 32, 'balance')
    const codeHash = mark === MARKS.withCode ? reader.hex(32) : EMPTY_CODE_HASH
    const storage = Trie.read(reader, encodeSlot, SLOTS)
    if (storage.isEmpty && codeHash === EMPTY_CODE_HASH) return [key, plainLeaf(address, nonce, balance)]
    const account = { nonce: bytesToBigInt(nonce), balance: bytesToBigInt(balance), codeHash }
    return [key, accountLeaf(bytesToHex(address), account, storage.isEmpty ? undefined : storage)]
  },
}

/** Accounts in the same bytes; below a contract's leaf, what has not changed is packed. */
const PACKED_ACCOUNTS: EntryFormat<AccountLeaf> = {
  write: (writer, leaf) => writeLeaf(writer, leaf, true),
  read: (reader) => ACCOUNTS.read(reader),
}

/** Writes the leaf of an account without code and storage as all others, from its bytes: most accounts are of this kind. */
function writePlain(writer: ByteWriter, leaf: ByteText): void {
  const start = balanceStart(leaf)
  writer
    .latin1(leaf, 0, ADDRESS_BYTES)
    .uint(MARKS.withoutCode)
    .uint(start - NONCE_AT)
    .latin1(leaf, NONCE_AT, start)
    .uint(leaf.length - start)
    .latin1(leaf, start, leaf.length)
    .fixed(NO_STORAGE)
}

/** A number as a leaf has it: big-endian without leading zeros. */
function readNumber(reader: ByteReader, mostBytes: number, name: string): Uint8Array {
  const bytes = reader.bytes()
  if (bytes.length > mostBytes) throw new ByteReaderError(`an account has a ${name} of more than ${8 * mostBytes} bits`)
  if (bytes[0] === 0) throw new ByteReaderError(`an account has a ${name} that begins with zeros`)
  return bytes
}

/**
 * Writes every account of a state with its storage, without codes; in pieces, since a large state takes long to write.
 *
 * @param packs - Whether accounts and slots that have not changed since they were last written stay in memory as bytes.
 */
export function writeStateInPieces(writer: ByteWriter, state: StateSnapshot, packs: boolean): Generator<void, void> {
  return state.branchAccounts().write(writer, packs ? PACKED_ACCOUNTS : ACCOUNTS, packs)
}

/**
 * Reads what {@link writeStateInPieces} wrote. Most accounts and slots are only decoded on first access.
 *
 * @param codes - Must have every code that the state references; becomes the state's store.
 * @throws {ByteReaderError} If the bytes are not a state.
 */
export function readState(reader: ByteReader, codes: CodeStore): StateSnapshot {
  return new StateSnapshot(Trie.read(reader, encodeAccount, ACCOUNTS), codes)
}

/** Hashes of codes that the later state may reference and the earlier one does not. */
export function* codesOf(difference: StateDifference): Generator<Hash, void> {
  for (const { before, after } of difference) {
    if (after && after.codeHash !== EMPTY_CODE_HASH && after.codeHash !== before?.codeHash) yield after.codeHash
  }
}
