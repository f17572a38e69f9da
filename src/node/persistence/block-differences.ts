import type { ChainStore } from '../storage/chain-store.ts'
import type { Journal, StoredBytes } from '../storage/journal.ts'
import type { StoredDifferences } from '../storage/state-archive.ts'
import type { KeptBlock } from './kept-blocks.ts'
import { keyOf, numberOf } from './records.ts'

/** The stored state differences of the blocks in a store, by their numbers. */
export function differencesOn(
  store: ChainStore,
  diffs: ReadonlyMap<string, Uint8Array | StoredBytes>,
): StoredDifferences {
  const first = store.first().header.number
  const differences = new Map<number, Uint8Array | StoredBytes>()
  for (const [key, difference] of diffs) {
    const number = numberOf(key)
    // The key may be anything.
    const hash = number > first ? store.blockByNumber(number)?.hash : undefined
    if (hash && keyOf(number, hash) === key) differences.set(number, difference)
  }
  return differences
}

/**
 * The stored state differences of some blocks and of those below them, by their numbers.
 *
 * @param below - Those of the chain, of which it has the blocks up to `from`.
 */
export function differencesOf(
  blocks: readonly KeptBlock[],
  diffs: ReadonlyMap<string, Uint8Array | StoredBytes>,
  below: StoredDifferences,
  from: number,
): StoredDifferences {
  const differences = new Map([...below].filter(([number]) => number <= from))
  for (const { number, hash } of blocks) {
    const difference = diffs.get(keyOf(number, hash))
    if (difference) differences.set(number, difference)
  }
  return differences
}

/** Length of the differences above a block. */
export function differenceBytesAfter(base: number, differences: StoredDifferences): number {
  return [...differences].reduce((sum, [number, { length }]) => sum + (number > base ? length : 0), 0)
}

/** What the blocks changed; it stays in the journal if it can be read there, since few ask for states before the newest. */
export async function differencesIn(journal: Journal): Promise<ReadonlyMap<string, Uint8Array | StoredBytes>> {
  const entries: readonly (readonly [string, Uint8Array | StoredBytes])[] =
    (await journal.shelf?.placed?.('diffs')) ?? (await journal.readAll('diffs'))
  return new Map(entries)
}
