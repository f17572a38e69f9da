/** Hardforks whose rules hold, in their order; the oldest that is known here is Cancun, 0. */
export const PRAGUE: u32 = 1
export const OSAKA: u32 = 2

export let hardfork: u32 = 2

/** Between messages only. */
export function useHardfork(rules: u32): void {
  hardfork = rules
}
