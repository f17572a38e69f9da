/** The nibble of a key at that position, high half of a byte first; 0 behind the end. */
export function nibbleAt(key: Uint8Array, position: number): number {
  const byte = key[position >> 1] as number
  return (position & 1) === 0 ? byte >> 4 : byte & 15
}

/** The first position in `from … to − 1` where two keys differ, else `to`. */
export function firstDifference(a: Uint8Array, b: Uint8Array, from: number, to: number): number {
  let position = from
  while (position < to && nibbleAt(a, position) === nibbleAt(b, position)) position++
  return position
}
