/** The module that `scripts/build/solc.mjs` makes of the package solc. */
declare module 'virtual:solc' {
  import type { Soljson } from '#compiler/soljson.ts'

  /** The compiler as a gzip file. */
  export const BINARY: {
    readonly url: string
    /** Size of the file, as it is downloaded. */
    readonly bytes: number
  }

  /** Starts the compiler; takes a moment. */
  export function start(options: { readonly wasmBinary: Uint8Array }): Soljson
}
