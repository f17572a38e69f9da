/** Limits of the module's memory. */

/** Signatures in the input. */
export const MAX_SIGNATURES: i32 = 64
/** Additions per batch: the 39 places of each signature, see `index.ts`, rounded up. */
export const MAX_ADDITIONS: i32 = 40 * MAX_SIGNATURES
