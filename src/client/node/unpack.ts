/** The unpacked data is too long, or its compression is damaged. `message` is for people. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError'
  readonly code: 'too-long' | 'damaged'
  constructor(code: UnpackError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Unpacks compressed bytes. Stops as soon as they are too long, since a small file can grow without end.
 *
 * @throws {UnpackError} If they cannot be unpacked, or are longer than `maxBytes`.
 */
export async function unpack(
  packed: Uint8Array<ArrayBuffer>,
  format: CompressionFormat,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)).getReader()
  for (;;) {
    const { done, value } = await readPacked(reader)
    if (done) break
    length += value.length
    if (length > maxBytes) {
      await reader.cancel()
      const limit = Math.floor(maxBytes / 1024 / 1024)
      throw new UnpackError('too-long', `it holds more than ${limit} MiB when unpacked`)
    }
    chunks.push(value)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

async function readPacked(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>) {
  try {
    return await reader.read()
  } catch (error) {
    // Browsers and Node.js throw different errors here, none with more detail.
    throw new UnpackError('damaged', 'it is damaged or cut short', { cause: error })
  }
}
