/** AssemblyScript, compiled by `scripts/build/engine.mjs`. */
declare module '*.ts?wasm' {
  export const wasm: Uint8Array<ArrayBuffer>
}

/** The module, reporting every step to its host. */
declare module '*.ts?traced-wasm' {
  export const wasm: Uint8Array<ArrayBuffer>
}

/** The module with FUSED true, which needs relaxed SIMD. */
declare module '*.ts?fused-wasm' {
  export const wasm: Uint8Array<ArrayBuffer>
}

/** The module for numbers of 256 bits, which needs relaxed SIMD. */
declare module '*.ts?vector-wasm' {
  export const wasm: Uint8Array<ArrayBuffer>
}

/** The module for numbers of 381 bits, which needs relaxed SIMD. */
declare module '*.ts?wide-wasm' {
  export const wasm: Uint8Array<ArrayBuffer>
}
