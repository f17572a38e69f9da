/** Browsers, workers and Node.js all have it; this room has neither DOM nor Node types. */
const { TextDecoder } = globalThis as unknown as {
  readonly TextDecoder: new () => { decode(bytes: Uint8Array): string }
}

/** Decodes UTF-8; what is not UTF-8 becomes U+FFFD. */
export const utf8 = new TextDecoder()
