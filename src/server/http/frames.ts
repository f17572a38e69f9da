import type { SharedMemory } from './shared-budget.ts'

/** Approximate bytes that a frame takes besides its own. */
export const FRAME_BYTES = 256

/** Bytes for one or more sockets. */
export interface SharedBytes extends SharedMemory {
  readonly bytes: Buffer
}

/** Notifications for many sockets: they are encoded once, and each socket writes the same bytes. */
export interface SharedTexts {
  readonly texts: readonly string[]
  /** Each text as a frame of a WebSocket, as a server sends it: whole, without a mask (RFC 6455, section 5.2). */
  readonly frames: SharedBytes
}

/** First bytes of frames that are whole. */
const TEXT = 0x81
const BINARY = 0x82
const PONG = 0x8a
/** Lengths up to here are in the second byte. */
const SHORT = 125
const IN_TWO_BYTES = 126
const IN_EIGHT_BYTES = 127

/** Bytes that a socket is to write. */
export function sharedBytes(bytes: Buffer): SharedBytes {
  return { bytes, size: bytes.length + FRAME_BYTES, holders: 0 }
}

/** @param texts - JSON. */
export function shareTexts(texts: readonly string[]): SharedTexts {
  return { texts, frames: sharedBytes(Buffer.concat(texts.map(textFrame))) }
}

/** A text as one frame. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const header = textHeader(length)
  const frame = Buffer.allocUnsafe(header.length + length)
  frame.write(header, 'latin1')
  frame.write(text, header.length)
  return frame
}

/** Bytes as one frame. */
export function binaryFrame(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(frameHeader(BINARY, bytes.length), 'latin1'), bytes])
}

/** The answer to a ping. @param data - At most 125 bytes. */
export function pongFrame(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([PONG, data.length]), data])
}

/** What goes before a text of that many bytes, a character for each byte. */
export const textHeader = (length: number): string => frameHeader(TEXT, length)

function frameHeader(kind: number, length: number): string {
  if (length <= SHORT) return String.fromCharCode(kind, length)
  if (length <= 0xffff) return String.fromCharCode(kind, IN_TWO_BYTES, length >>> 8, length & 0xff)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(length))
  return String.fromCharCode(kind, IN_EIGHT_BYTES) + size.toString('latin1')
}
