/** Whether numbers are as long as those of BLS12-381; `x.ts?wide-wasm` makes it true. */
export const WIDE: bool = false
