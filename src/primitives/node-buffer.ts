/** What of Node.js's `Buffer` is used; its methods work on any bytes. */
interface NodeBuffer {
  from(text: string, encoding: 'latin1'): Uint8Array
  readonly prototype: {
    readonly base64Slice: (this: Uint8Array, start: number, end: number) => string
    readonly latin1Slice: (this: Uint8Array, start: number, end: number) => string
    /** Answers how many bytes it has written: up to the first pair that is none of digits. */
    readonly hexWrite: (this: Uint8Array, digits: string, at: number, most: number) => number
  }
}

/** In Node.js, whose own code does at once what is a loop elsewhere. The page's build says that there is none. */
export const nodeBuffer = (globalThis as { readonly Buffer?: NodeBuffer }).Buffer
