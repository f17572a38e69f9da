import { ByteWriter } from '#primitives/byte-writer.ts'
import type { SealedBlock } from '../payload/block.ts'
import { stateDifference } from '../state/state-difference.ts'
import { writeDifference } from '../state/state-record.ts'
import { keepsState } from '../storage/chain-store.ts'
import { bytesAt, type JournalPart, type StoredBytes } from '../storage/journal.ts'
import { recordOf } from '../storage/stored-block.ts'
import type { ExecutionGuard } from '../turns/guard.ts'
import type { JournaledChain } from './journaled-chain.ts'
import { encodeJson } from './json-record.ts'
import { recordPresent, type TakenRecord } from './present-record.ts'
import { type BaseRecord, blockKey, type ChainRecord, encodePooled, META, stateKeys } from './records.ts'
import { genesisCodes, wholeStateInPieces } from './state-rows.ts'

/** An entry of a journal. */
export interface JournalEntry {
  readonly part: JournalPart
  readonly key: string
  readonly value: Uint8Array
}

/**
 * The entries of a journal that holds the chain as it is at this moment, however long it takes to write them. Without
 * snapshots.
 *
 * @param taken - What was taken back before, oldest first.
 * @param written - What blocks changed, by their keys, as far as a journal has it.
 */
export async function entriesOf(
  chain: JournaledChain,
  record: ChainRecord,
  taken: readonly TakenRecord[],
  written: ReadonlyMap<string, Uint8Array | StoredBytes>,
  guard: ExecutionGuard,
): Promise<JournalEntry[]> {
  const { store, pool } = chain
  const blocks = store.sealed().slice()
  const head = store.head()
  const live = store.pending()
  const waiting = [...live.transactions.map(({ tx }) => tx), ...pool.byArrival()]
  const base = chain.fork ? oldestWithState(blocks) : head
  const baseRecord: BaseRecord = { number: base.header.number, hash: base.hash }
  const entries: JournalEntry[] = [
    { part: 'meta', key: META.chain, value: encodeJson(record) },
    { part: 'meta', key: META.base, value: encodeJson(baseRecord) },
    { part: 'meta', key: META.present, value: encodeJson({ ...recordPresent(chain, live), snapshotsTaken: 0 }) },
    ...waiting.map((tx, i) => ({ part: 'transactions' as const, key: tx.hash, value: encodePooled(tx, i) })),
  ]
  // Blocks that a reorg has taken back with their parents cannot be shown any more.
  const shown = taken.filter(({ number, parent }) => store.blockByNumber(number - 1)?.hash === parent)
  if (shown.length > 0) entries.push({ part: 'meta', key: META.taken, value: encodeJson(shown) })
  // Before the codes, which then are all that rows need, even of those that came meanwhile.
  for (const [key, value] of chain.fork?.kept.entries() ?? []) {
    entries.push({ part: 'states', key, value })
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  const first = blocks[0] as SealedBlock
  const known = genesisCodes(first.state, chain.fork !== undefined)
  for (const [hash, value] of head.state.codes.entries()) {
    if (!known.has(hash)) entries.push({ part: 'states', key: stateKeys.code(hash), value })
  }
  if (base !== first) {
    const pieces = wholeStateInPieces(chain, base.state)
    let piece = pieces.next()
    for (; !piece.done; piece = pieces.next()) {
      const pause = guard.checkpoint()
      if (pause) await pause
    }
    entries.push({ part: 'states', key: stateKeys.base(base.hash), value: piece.value })
  }
  for (const [place, block] of blocks.entries()) {
    if (place === 0) continue
    const key = blockKey(block)
    entries.push({ part: 'blocks', key, value: recordOf(block) })
    const parent = blocks[place - 1] as SealedBlock
    // Meanwhile the store may have released their states, or have them again.
    if (keepsState(parent) && keepsState(block)) {
      // States of an earlier run are not there yet, and take long to make.
      const difference = written.get(key)
      entries.push({ part: 'diffs', key, value: difference ? bytesAt(difference) : differenceBetween(parent, block) })
    }
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return entries
}

function differenceBetween(parent: SealedBlock, block: SealedBlock): Uint8Array {
  const writer = new ByteWriter()
  writeDifference(writer, stateDifference(parent.state, block.state))
  return writer.finish()
}

/**
 * The oldest block from which states are kept without a gap. It is the base of a fork: to take back what a block has done
 * to a trie, more of it has to be known than to do it again.
 */
function oldestWithState(blocks: readonly SealedBlock[]): SealedBlock {
  let place = blocks.length - 1
  while (place > 0 && keepsState(blocks[place - 1] as SealedBlock)) place--
  return blocks[place] as SealedBlock
}
