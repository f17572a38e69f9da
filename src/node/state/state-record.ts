import { type ByteReader, ByteReaderError } from '#primitives/byte-reader.ts'
import type { ByteWriter } from '#primitives/byte-writer.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import {
  type AccountLeaf,
  accountLeaf,
  accountOf,
  addressOf,
  createStorageTrie,
  encodeAccount,
  encodeSlot,
  type SlotLeaf,
  slotLeaf,
  slotOf,
  storageOf,
  valueOf,
} from './account-trie.ts'
import { bytesOfText, byteText } from './byte-text.ts'
import type { CodeStore } from './code-store.ts'
import type { AccountChange, SlotChange, StateDifference } from './state-difference.ts'
import { type Account, EMPTY_CODE_HASH } from './state-reader.ts'
import { StateSnapshot } from './state-snapshot.ts'
import { Trie } from './trie.ts'
import { addressKey, slotKey } from './trie-keys.ts'
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
  write: (writer, leaf) => writer.hex(slotOf(leaf)).bytes(bytesOfText(valueOf(leaf))),
  read(reader) {
    const slot: Hash = reader.hex(32)
    const value = readWord(reader)
    if (value.length === 0) throw new ByteReaderError('a state has a slot that is 0')
    return [slotKey(slot), slotLeaf(slot, byteText(value))]
  },
}

const ACCOUNTS: EntryFormat<AccountLeaf> = {
  write(writer, leaf) {
    writeAccount(writer.hex(addressOf(leaf)), accountOf(leaf))
    finish((storageOf(leaf) ?? createStorageTrie()).write(writer, SLOTS))
  },
  read(reader) {
    const address: Address = reader.hex(20)
    const account = readAccount(reader)
    if (!account) throw new ByteReaderError('a state has an account that does not exist')
    const storage = Trie.read(reader, encodeSlot, SLOTS)
    return [addressKey(address), accountLeaf(address, account, storage.isEmpty ? undefined : storage)]
  },
}

/** Writes every account of a state with its storage, without codes; in pieces, since a large state takes long to write. */
export function writeStateInPieces(writer: ByteWriter, state: StateSnapshot): Generator<void, void> {
  return state.forkAccounts().write(writer, ACCOUNTS)
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

function finish(pieces: Generator<void, void>): void {
  while (!pieces.next().done);
}

/** Hashes of codes that the later state may reference and the earlier one does not. */
export function* codesOf(difference: StateDifference): Generator<Hash, void> {
  for (const { before, after } of difference) {
    if (after && after.codeHash !== EMPTY_CODE_HASH && after.codeHash !== before?.codeHash) yield after.codeHash
  }
}
