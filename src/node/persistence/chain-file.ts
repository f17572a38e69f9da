import { ByteWriter } from '#primitives/byte-writer.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { JOURNAL_PARTS } from '../storage/journal.ts'
import type { JournalEntry } from './whole-chain.ts'

/** The first bytes of every file: BLINKNET. */
export const MAGIC = Uint8Array.from('BLINKNET', (character) => character.charCodeAt(0))
/** Version of the format after the magic bytes. */
export const FILE_VERSION = 1
/** Length of the hash at the end. */
export const CHECKSUM_BYTES = 32

/** The file is not a chain, or is incomplete. `message` is for people. */
export class ChainFileError extends Error {
  override readonly name = 'ChainFileError'
}

/** Encodes a chain as one file: magic bytes, version, the journal's entries, and the keccak256 hash of all that. */
export function encodeChainFile(entries: readonly JournalEntry[]): Uint8Array {
  const writer = new ByteWriter().fixed(MAGIC).uint(FILE_VERSION)
  writer.list(entries, ({ part, key, value }) => {
    writer.uint(JOURNAL_PARTS.indexOf(part))
    writer.bytes(Uint8Array.from(key, (character) => character.charCodeAt(0)))
    writer.bytes(value)
  })
  const content = writer.finish()
  return new ByteWriter().fixed(content).fixed(keccak256(content)).finish()
}
