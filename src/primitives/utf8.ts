/** Browsers, workers and Node.js all have it; this folder has neither DOM nor Node types. */
const { TextDecoder, TextEncoder } = globalThis as unknown as {
  readonly TextDecoder: new () => { decode(bytes: Uint8Array): string }
  readonly TextEncoder: new () => { encode(text: string): Uint8Array }
}

/** Decodes UTF-8; what is not UTF-8 becomes U+FFFD. */
export const utf8 = new TextDecoder()

const encoder = new TextEncoder()

/** The UTF-8 of a text. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text)
}
