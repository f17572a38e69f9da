import { nodeBuffer } from './node-buffer.ts'

/** Functions that every JavaScript host has; this folder has neither DOM nor Node types. */
const { atob, btoa } = globalThis as unknown as Record<'atob' | 'btoa', (text: string) => string>

/** Bytes that become text at once; a multiple of 3, so that no padding comes in between. */
const PORTION_BYTES = 3 * 8_192

/** Bytes as Base64. */
export function toBase64(bytes: Uint8Array): string {
  if (nodeBuffer) return nodeBuffer.prototype.base64Slice.call(bytes, 0, bytes.length)
  const portions: string[] = []
  for (let start = 0; start < bytes.length; start += PORTION_BYTES) {
    portions.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PORTION_BYTES))))
  }
  return portions.join('')
}

/** Whether a text is Base64 with its padding, and nothing else. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

/**
 * The bytes that Base64 spells.
 *
 * @throws {Error} Unless {@link isBase64}.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return bytesOfCharacters(atob(text))
}

/** The bytes that characters up to U+00FF are the numbers of. */
export function bytesOfCharacters(characters: string): Uint8Array<ArrayBuffer> {
  // Node.js's own code needs no warming up, at the start of a server. A copy, as small ones share their memory.
  if (nodeBuffer) return new Uint8Array(nodeBuffer.from(characters, 'latin1'))
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}
