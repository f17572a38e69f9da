import type { BlinknetProvider } from '#client/session/provider.ts'
import { fromBase64 } from '#primitives/base64.ts'
import { unpack } from './unpack.ts'

/** Longest file that is unpacked, in bytes: a file that says little and grows without end is not a chain. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024

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
export function gunzip(packed: Uint8Array<ArrayBuffer>, maxBytes = MAX_FILE_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  return unpack(packed, 'gzip', maxBytes)
}
