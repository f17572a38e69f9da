import { ByteWriter } from '#primitives/byte-writer.ts'
import type { ExecutionGuard } from '../evm/message.ts'
import type { SealedBlock } from '../payload/block.ts'
import { stateDifference } from '../state/state-difference.ts'
import { writeDifference, writeStateInPieces } from '../state/state-record.ts'
import { keepsState } from '../storage/chain-store.ts'
import type { JournalPart } from '../storage/journal.ts'
import { recordOf } from '../storage/stored-block.ts'
import type { JournaledChain } from './journaled-chain.ts'
import { genesisCodes } from './journaled-states.ts'
import { encodeJson } from './json-record.ts'
import { recordPresent, type TakenRecord } from './present-record.ts'
import { type BaseRecord, blockKey, type ChainRecord, encodePooled, META, stateKeys } from './records.ts'

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
 */
export async function entriesOf(
  chain: JournaledChain,
  record: ChainRecord,
  taken: readonly TakenRecord[],
  guard: ExecutionGuard,
): Promise<JournalEntry[]> {
  const { store, pool } = chain
  const blocks = store.sealed()
  const head = store.head()
  const live = store.pending()
  const waiting = [...live.transactions.map(({ tx }) => tx), ...pool.byArrival()]
  const base: BaseRecord = { number: head.header.number, hash: head.hash }
  const entries: JournalEntry[] = [
    { part: 'meta', key: META.chain, value: encodeJson(record) },
    { part: 'meta', key: META.base, value: encodeJson(base) },
    { part: 'meta', key: META.present, value: encodeJson({ ...recordPresent(chain, live), snapshotsTaken: 0 }) },
    ...waiting.map((tx, i) => ({ part: 'transactions' as const, key: tx.hash, value: encodePooled(tx, i) })),
  ]
  // Blocks that a reorg has taken back with their parents cannot be shown any more.
  const shown = taken.filter(({ number, parent }) => blocks[number - 1]?.hash === parent)
  if (shown.length > 0) entries.push({ part: 'meta', key: META.taken, value: encodeJson(shown) })
  const known = genesisCodes((blocks[0] as SealedBlock).state)
  for (const [hash, value] of head.state.codes.entries()) {
    if (!known.has(hash)) entries.push({ part: 'states', key: stateKeys.code(hash), value })
  }
  if (base.number > 0) {
    const writer = new ByteWriter()
    for (const pieces = writeStateInPieces(writer, head.state); !pieces.next().done; ) await guard.checkpoint()
    entries.push({ part: 'states', key: stateKeys.base(head.hash), value: writer.finish() })
  }
  for (const [number, block] of blocks.entries()) {
    if (number === 0) continue
    entries.push({ part: 'blocks', key: blockKey(block), value: recordOf(block) })
    const parent = blocks[number - 1] as SealedBlock
    // Meanwhile the store may have released their states, or have them again.
    if (keepsState(parent) && keepsState(block)) {
      const writer = new ByteWriter()
      writeDifference(writer, stateDifference(parent.state, block.state))
      entries.push({ part: 'diffs', key: blockKey(block), value: writer.finish() })
    }
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return entries
}
