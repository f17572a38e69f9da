import { unpack } from './unpack.ts'

/** Longest file in bytes after unpacking. A small file that unpacks to more is not a chain. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024

/** Packs bytes with gzip. */
export function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Blob> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))).blob()
}

/** Whether bytes start like gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * Unpacks gzip.
 *
 * @throws {UnpackError} If the bytes cannot be unpacked, or are longer than `maxBytes`.
 */
export function gunzip(packed: Uint8Array<ArrayBuffer>, maxBytes = MAX_FILE_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  return unpack(packed, 'gzip', maxBytes)
}
