import type { BlinknetProvider } from './provider.ts'

/** Longest file that is unpacked, in bytes: a file that says little and grows without end is not a chain. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024
/** Bytes that become text in one go; a multiple of 3, so that no padding comes in between. */
const PORTION_BYTES = 3 * 8_192

/** A file grows beyond {@link MAX_FILE_BYTES}, or its compression makes no sense. `message` is for people. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError'
}

/** The chain as it is now, as a chain file. */
export async function exportChain(provider: BlinknetProvider): Promise<Uint8Array<ArrayBuffer>> {
  return fromBase64(await provider.request({ method: 'devnet_exportChain' }))
}

/** Packs bytes with gzip. */
export function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Blob> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))).blob()
}

/** Whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * Unpacks what gzip packed.
 *
 * @throws {UnpackError} If it cannot be unpacked, or is longer than `maxBytes`.
 */
export async function gunzip(
  packed: Uint8Array<ArrayBuffer>,
  maxBytes = MAX_FILE_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  for (;;) {
    const { done, value } = await readPacked(reader)
    if (done) break
    length += value.length
    if (length > maxBytes) {
      await reader.cancel()
      throw new UnpackError(`it holds more than ${Math.floor(maxBytes / 1024 / 1024)} MiB when it is unpacked`)
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

async function readPacked(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>) {
  try {
    return await reader.read()
  } catch (error) {
    // Browsers and Node.js have different errors for it, and none says more.
    throw new UnpackError('it begins as gzip does, but is damaged or cut short', { cause: error })
  }
}

/** Bytes as Base64. */
export function toBase64(bytes: Uint8Array): string {
  const portions: string[] = []
  for (let start = 0; start < bytes.length; start += PORTION_BYTES) {
    portions.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PORTION_BYTES))))
  }
  return portions.join('')
}

/** The bytes that Base64 spells. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text)
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}
