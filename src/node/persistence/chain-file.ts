import { ByteWriter } from '#primitives/byte-writer.ts'
import { Keccak256Stream } from '../crypto/keccak.ts'
import { JOURNAL_PARTS } from '../storage/journal.ts'
import type { JournalEntry } from './whole-chain.ts'

/** The first bytes of every file: BLINKNET. */
export const MAGIC = Uint8Array.from('BLINKNET', (character) => character.charCodeAt(0))
/** Version of the format after the magic bytes. */
export const FILE_VERSION = 1
/** Length of the hash at the end. */
export const CHECKSUM_BYTES = 32

/** Bytes that are hashed between two looks at the clock. */
export const PIECE_BYTES = 1024 * 1024

/** The file is not a chain, or is incomplete. `message` is for people. */
export class ChainFileError extends Error {
  override readonly name = 'ChainFileError'
}

/** Encodes a chain as one file: magic bytes, version, the journal's entries, and the keccak256 hash of all that. */
export function encodeChainFile(entries: readonly JournalEntry[]): Uint8Array {
  const pieces = chainFileInPieces(entries)
  let piece = pieces.next()
  while (!piece.done) piece = pieces.next()
  return piece.value
}

/** As {@link encodeChainFile}, in pieces: a long chain takes long to copy and to hash. */
export function* chainFileInPieces(entries: readonly JournalEntry[]): Generator<void, Uint8Array> {
  const start = new ByteWriter().fixed(MAGIC).uint(FILE_VERSION).uint(entries.length).finish()
  let size = start.length + CHECKSUM_BYTES
  for (const entry of entries) size += headOf(entry).length + entry.value.length
  const file = new Uint8Array(size)
  file.set(start)
  let at = start.length
  let unhashed = 0
  const hash = new Keccak256Stream()
  for (const entry of entries) {
    const head = headOf(entry)
    file.set(head, at)
    file.set(entry.value, at + head.length)
    at += head.length + entry.value.length
    for (; at - unhashed >= PIECE_BYTES; unhashed += PIECE_BYTES) {
      hash.update(file.subarray(unhashed, unhashed + PIECE_BYTES))
      yield
    }
  }
  file.set(hash.update(file.subarray(unhashed, at)).digest(), at)
  return file
}

/** What stands before the value of an entry. */
function headOf({ part, key, value }: JournalEntry): Uint8Array {
  return new ByteWriter()
    .uint(JOURNAL_PARTS.indexOf(part))
    .uint(key.length)
    .latin1(key, 0, key.length)
    .uint(value.length)
    .finish()
}
