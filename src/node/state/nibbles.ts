import type { ByteText } from './byte-text.ts'

/** The key's nibble at `position`, high half of a byte first; 0 past the end. */
export function nibbleAt(key: ByteText, position: number): number {
  const byte = key.charCodeAt(position >> 1)
  return (position & 1) === 0 ? byte >> 4 : byte & 15
}

/** The first position in `from … to − 1` where two keys differ, else `to`. */
export function firstDifference(a: ByteText, b: ByteText, from: number, to: number): number {
  if (a === b) return to
  let position = from
  while (position < to && nibbleAt(a, position) === nibbleAt(b, position)) position++
  return position
}
