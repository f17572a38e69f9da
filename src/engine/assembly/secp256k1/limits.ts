/** Limits of the module's memory. */

/** Signatures in the input. */
export const MAX_SIGNATURES: i32 = 64
/** Signatures that can be checked at once: see `key-checks.ts`. */
export const MAX_CHECKED: i32 = 48
/** Additions per batch: the 39 places of each signature, see `index.ts`, or the 52 of each that is checked, rounded up. */
export const MAX_ADDITIONS: i32 = 40 * MAX_SIGNATURES
