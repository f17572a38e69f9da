/**
 * A place in a list of the chain, as in the address: `45.3` is before the item with index 3 of block 45, `45` is before
 * block 46.
 */
export interface ListPlace {
  readonly block: number
  /** All of the block without one. */
  readonly index: number | undefined
}

/** Where an item stands. */
export interface ItemPlace {
  readonly block: number
  readonly index: number
}

/** Parses a place; `undefined` for any other text. */
export function parsePlace(text: string | null | undefined): ListPlace | undefined {
  const parts = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text ?? '')
  if (!parts) return undefined
  return { block: Number(parts[1]), index: parts[2] === undefined ? undefined : Number(parts[2]) }
}

export function formatPlace({ block, index }: ListPlace): string {
  return index === undefined ? String(block) : `${block}.${index}`
}

/** Whether an item stands before a place, so that a page from there on has it. */
export function isBefore(item: ItemPlace, place: ListPlace): boolean {
  return (
    item.block < place.block || (item.block === place.block && (place.index === undefined || item.index < place.index))
  )
}

/** The older of two places. */
export function olderOf(one: ListPlace, other: ListPlace): ListPlace {
  if (one.block !== other.block) return one.block < other.block ? one : other
  if (one.index === undefined) return other
  return other.index === undefined || one.index < other.index ? one : other
}
