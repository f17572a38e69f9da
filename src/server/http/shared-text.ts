/** Notifications for many sockets: they are encoded once, and each socket writes the same bytes at once. */
export interface SharedTexts {
  readonly texts: readonly string[]
  /** Each text as a frame of a WebSocket, as a server sends it: whole, without a mask (RFC 6455, section 5.2). */
  readonly frames: Buffer
}

const WHOLE_TEXT = 0x81
/** Lengths up to here are in the second byte. */
const SHORT = 125
const IN_TWO_BYTES = 126
const IN_EIGHT_BYTES = 127

/** @param texts - JSON. */
export function shareTexts(texts: readonly string[]): SharedTexts {
  const frames = texts.map((text) => Buffer.from(text)).flatMap((body) => [headerOf(body.length), body])
  return { texts, frames: Buffer.concat(frames) }
}

function headerOf(length: number): Buffer {
  if (length <= SHORT) return Buffer.from([WHOLE_TEXT, length])
  const isLong = length > 0xffff
  const header = Buffer.alloc(isLong ? 10 : 4)
  header[0] = WHOLE_TEXT
  header[1] = isLong ? IN_EIGHT_BYTES : IN_TWO_BYTES
  if (isLong) header.writeBigUInt64BE(BigInt(length), 2)
  else header.writeUInt16BE(length, 2)
  return header
}
