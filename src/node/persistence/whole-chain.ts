import { ByteWriter } from '#primitives/byte-writer.ts'
import type { Hash } from '#primitives/hex.ts'
import type { ExecutionGuard } from '../evm/engine.ts'
import type { SealedBlock } from '../payload/block.ts'
import { stateDifference } from '../state/state-difference.ts'
import { codesOf, writeDifference, writeState } from '../state/state-record.ts'
import { encodeBlock } from '../storage/block-record.ts'
import { keepsState } from '../storage/chain-store.ts'
import type { JournalPart } from '../storage/journal.ts'
import { genesisCodes } from './chain-journal.ts'
import type { JournaledChain } from './journaled-chain.ts'
import { encodeJson } from './json-record.ts'
import { recordPresent } from './present-record.ts'
import { type BaseRecord, blockKey, type ChainRecord, encodePooled, META, stateKeys } from './records.ts'

/** An entry of a journal. */
export interface JournalEntry {
  readonly part: JournalPart
  readonly key: string
  readonly value: Uint8Array
}

/**
 * The entries of a journal that has the chain as it is in this moment, however long it takes to write them. Snapshots are
 * not among them.
 */
export async function entriesOf(
  chain: JournaledChain,
  record: ChainRecord,
  guard: ExecutionGuard,
): Promise<JournalEntry[]> {
  const { store, pool } = chain
  const blocks = store.sealed()
  const head = store.head()
  const live = store.pending()
  const waiting = [...live.transactions.map(({ tx }) => tx), ...pool.transactions()]
  const base: BaseRecord = { number: head.header.number, hash: head.hash }
  const entries: JournalEntry[] = [
    { part: 'meta', key: META.chain, value: encodeJson(record) },
    { part: 'meta', key: META.base, value: encodeJson(base) },
    { part: 'meta', key: META.present, value: encodeJson({ ...recordPresent(chain), snapshotsTaken: 0 }) },
    ...waiting.map((tx, i) => ({ part: 'transactions' as const, key: tx.hash, value: encodePooled(tx, i) })),
  ]
  if (base.number > 0) {
    const writer = new ByteWriter()
    writeState(writer, head.state)
    entries.push({ part: 'states', key: stateKeys.base(head.hash), value: writer.finish() })
  }
  const codes = new Map<Hash, Uint8Array>()
  const addCode = (hash: Hash) => codes.set(hash, head.state.codes.get(hash))
  for (const [, { codeHash }] of head.state.accounts()) addCode(codeHash)
  for (const { difference } of live.edits) for (const hash of codesOf(difference)) addCode(hash)
  for (const [number, block] of blocks.entries()) {
    if (number === 0) continue
    entries.push({ part: 'blocks', key: blockKey(block), value: encodeBlock(block) })
    for (const { difference } of block.edits) for (const hash of codesOf(difference)) addCode(hash)
    const parent = blocks[number - 1] as SealedBlock
    // The store may have let go of them meanwhile, or have others again.
    if (keepsState(parent) && keepsState(block)) {
      const difference = stateDifference(parent.state, block.state)
      for (const { before } of difference) if (before) addCode(before.codeHash)
      const writer = new ByteWriter()
      writeDifference(writer, difference)
      entries.push({ part: 'diffs', key: blockKey(block), value: writer.finish() })
    }
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  const known = genesisCodes((blocks[0] as SealedBlock).state)
  for (const [hash, value] of codes)
    if (!known.has(hash)) entries.push({ part: 'states', key: stateKeys.code(hash), value })
  return entries
}
