export type SlotResult = { readonly ok: true; readonly slot: bigint } | { readonly ok: false; readonly problem: string }

/** Reads the number of a storage slot, decimal or hexadecimal. */
export function parseSlot(text: string): SlotResult {
  const trimmed = text.trim()
  if (!/^(\d+|0x[0-9a-f]+)$/i.test(trimmed)) {
    return { ok: false, problem: 'Not a slot. Enter digits, or 0x and hexadecimal digits.' }
  }
  const slot = BigInt(trimmed)
  return slot < 2n ** 256n ? { ok: true, slot } : { ok: false, problem: 'Slots go from 0 to 2^256 − 1.' }
}
