/** Where a position of a text is, as people count: `line 3, column 9`. */
export function placeOf(source: string, position: number): string {
  const before = source.slice(0, position).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
