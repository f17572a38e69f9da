import { crc32 } from 'node:zlib'
import { JOURNAL_PARTS, type JournalChange, JournalError, type JournalPart } from '#node/storage/journal.ts'

// The file: a header, then frames. A frame is one write:
//   magic u32 · length of the payload u32 · synced u64 · CRC-32 u32 · payload
// `synced` is how much of the file was known to be on the disk when the frame was written: what is damaged below it was
// damaged there, what is damaged above it may be what a crash left. The check covers the frame's place too, so that bytes
// which were stored as a value are never taken for a frame. The payload is the changes, one behind the other:
//   kind u8 · part: length u8, latin1 · key: length u32, UTF-16 · value: length u32, bytes
// Numbers are little-endian.

const FILE_MAGIC = Buffer.from('blinkjnl', 'latin1')
const FORMAT_VERSION = 1
/** Bytes of the file's header. */
export const FILE_HEADER_BYTES = 16

const FRAME_MAGIC = Buffer.from([0xb1, 0x1b, 0x0c, 0xf5])
/** Bytes of a frame's header, before its payload. */
export const FRAME_HEADER_BYTES = 20

/**
 * Longest payload in bytes: more than four times the longest chain file. A damaged header may claim 4 GiB, and Node.js
 * ends the process if it is to read 2.
 */
export const MAX_PAYLOAD_BYTES = 2 ** 30

const KINDS = ['put', 'delete', 'clear'] as const

/** A change whose value is given by its place in the payload. */
export type PlacedChange =
  | {
      readonly kind: 'put'
      readonly part: JournalPart
      readonly key: string
      readonly start: number
      readonly length: number
    }
  | Exclude<JournalChange, { kind: 'put' }>

/** The first bytes of a journal's file. */
export function encodeFileHeader(): Buffer {
  const header = Buffer.alloc(FILE_HEADER_BYTES)
  FILE_MAGIC.copy(header)
  header.writeUInt32LE(FORMAT_VERSION, 8)
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12)
  return header
}

/** @throws {JournalError} `corrupt`, `newer`. */
export function checkFileHeader(header: Buffer, file: string): void {
  if (header.length < FILE_HEADER_BYTES || !header.subarray(0, 8).equals(FILE_MAGIC)) {
    throw new JournalError('corrupt', `${file} is not a Blinknet journal.`)
  }
  if (crc32(header.subarray(0, 12)) !== header.readUInt32LE(12)) {
    throw new JournalError('corrupt', `The header of ${file} is damaged.`)
  }
  const version = header.readUInt32LE(8)
  if (version > FORMAT_VERSION) {
    throw new JournalError(
      'newer',
      `${file} was written by a newer version of Blinknet (format ${version}; this one reads ${FORMAT_VERSION}).`,
    )
  }
}

/**
 * Encodes changes as the payload of a frame; copies the values.
 *
 * @throws {JournalError} `quota` if they are longer than {@link MAX_PAYLOAD_BYTES}.
 */
export function encodeChanges(changes: readonly JournalChange[]): Buffer {
  const length = changes.reduce((bytes, change) => bytes + encodedBytes(change), 0)
  if (length > MAX_PAYLOAD_BYTES) {
    throw new JournalError('quota', `A write has ${length} bytes; the journal takes ${MAX_PAYLOAD_BYTES} at a time.`)
  }
  const payload = Buffer.allocUnsafe(length)
  let at = 0
  for (const change of changes) {
    at = payload.writeUInt8(KINDS.indexOf(change.kind), at)
    at = payload.writeUInt8(change.part.length, at)
    at += payload.write(change.part, at, 'latin1')
    if (change.kind === 'clear') continue
    at = payload.writeUInt32LE(2 * change.key.length, at)
    at += payload.write(change.key, at, 'utf16le')
    if (change.kind === 'delete') continue
    at = payload.writeUInt32LE(change.value.length, at)
    payload.set(change.value, at)
    at += change.value.length
  }
  return payload
}

function encodedBytes(change: JournalChange): number {
  const head = 2 + change.part.length
  if (change.kind === 'clear') return head
  const keyed = head + 4 + 2 * change.key.length
  return change.kind === 'delete' ? keyed : keyed + 4 + change.value.length
}

/**
 * Decodes a payload.
 *
 * @throws {JournalError} `corrupt` if {@link encodeChanges} did not write it.
 */
export function decodeChanges(payload: Buffer): readonly PlacedChange[] {
  const changes: PlacedChange[] = []
  let at = 0
  const take = (length: number) => {
    if (length > payload.length - at) throw new JournalError('corrupt', 'A change in the journal is cut short.')
    at += length
    return at - length
  }
  while (at < payload.length) {
    const kind = KINDS[payload.readUInt8(take(1))]
    const partBytes = payload.readUInt8(take(1))
    const partStart = take(partBytes)
    const partName = payload.toString('latin1', partStart, at)
    const part = JOURNAL_PARTS.find((name) => name === partName)
    if (kind === undefined || part === undefined) {
      throw new JournalError('corrupt', `The journal has an unknown change (part "${partName}").`)
    }
    if (kind === 'clear') {
      changes.push({ kind, part })
      continue
    }
    const keyStart = take(payload.readUInt32LE(take(4)))
    const key = payload.toString('utf16le', keyStart, at)
    if (kind === 'delete') {
      changes.push({ kind, part, key })
      continue
    }
    const length = payload.readUInt32LE(take(4))
    changes.push({ kind, part, key, start: take(length), length })
  }
  return changes
}

/** The header of a frame at `offset`. */
export function encodeFrameHeader(payload: Buffer, offset: number, synced: number): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES)
  FRAME_MAGIC.copy(header)
  header.writeUInt32LE(payload.length, 4)
  header.writeBigUInt64LE(BigInt(synced), 8)
  header.writeUInt32LE(checksum(header, payload, offset), 16)
  return header
}

/** Length of the payload after a frame's header; `undefined` if this is not a header. */
export function payloadBytes(header: Buffer): number | undefined {
  if (!FRAME_MAGIC.equals(header.subarray(0, 4))) return undefined
  const length = header.readUInt32LE(4)
  return length <= MAX_PAYLOAD_BYTES ? length : undefined
}

/** How many bytes of the file were on disk when the frame was written; `undefined` if the frame is damaged. */
export function checkFrame(header: Buffer, payload: Buffer, offset: number): number | undefined {
  if (header.readUInt32LE(16) !== checksum(header, payload, offset)) return undefined
  return Number(header.readBigUInt64LE(8))
}

function checksum(header: Buffer, payload: Buffer, offset: number): number {
  const place = Buffer.alloc(8)
  place.writeBigUInt64LE(BigInt(offset))
  return crc32(payload, crc32(header.subarray(0, 16), crc32(place)))
}

/** The next position, at or after `from`, where a frame may start; -1 if there is none. */
export function findFrameMagic(bytes: Buffer, from: number): number {
  return bytes.indexOf(FRAME_MAGIC, from)
}
