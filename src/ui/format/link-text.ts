import { UnpackError, unpack } from '#client/node/unpack.ts'
import { fromBase64, toBase64 } from '#primitives/base64.ts'

/** Longest packed text: browsers and chat programs accept addresses of this length. */
export const MAX_LINK_CHARACTERS = 16_000

/**
 * Packs bytes as text for an address: deflated, in URL-safe Base64.
 *
 * @returns `undefined` if it is too long for a link.
 */
export async function packForLink(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const packed = new Uint8Array(await new Response(stream).arrayBuffer())
  const text = toBase64(packed).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return text.length > MAX_LINK_CHARACTERS ? undefined : text
}

/**
 * Unpacks a result of {@link packForLink}.
 *
 * @param refused - Makes the error that is thrown if it is invalid or too long.
 */
export async function unpackFromLink(
  text: string,
  maxBytes: number,
  refused: (why: string, options?: ErrorOptions) => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  if (text.length > MAX_LINK_CHARACTERS) throw refused('it is too long')
  if (!/^[\w-]+$/.test(text)) throw refused('it contains invalid characters')
  try {
    return await unpack(fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')), 'deflate-raw', maxBytes)
  } catch (error) {
    const isTooLong = error instanceof UnpackError && error.code === 'too-long'
    throw refused(isTooLong ? 'it is too long when unpacked' : 'it is damaged', { cause: error })
  }
}
