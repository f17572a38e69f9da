import { ByteReader } from '#primitives/byte-reader.ts'
import { ByteWriter } from '#primitives/byte-writer.ts'
import type { Hash } from '#primitives/hex.ts'
import { changedState, stateDifference } from '../state/state-difference.ts'
import { readDifference, readState, writeDifference, writeStateInPieces } from '../state/state-record.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import type { JournaledChain } from './journaled-chain.ts'

type Chain = Pick<JournaledChain, 'fork' | 'store'>

/**
 * Writes the whole state of a block, in pieces. That of a fork cannot be listed: it is written as what differs from the
 * block at which the chain begins.
 *
 * @param packs - As of `writeStateInPieces`.
 * @returns The record, once all pieces are written.
 */
export function* wholeStateInPieces(
  { fork, store }: Chain,
  state: StateSnapshot,
  packs = false,
): Generator<void, Uint8Array> {
  const writer = new ByteWriter()
  if (fork) writeDifference(writer, stateDifference(store.first().state, state))
  else yield* writeStateInPieces(writer, state, packs)
  return writer.finish()
}

/** Rows of a whole state, at once. */
export function wholeState(chain: Chain, state: StateSnapshot): Uint8Array {
  const pieces = wholeStateInPieces(chain, state)
  let piece = pieces.next()
  while (!piece.done) piece = pieces.next()
  return piece.value
}

/**
 * Reads what {@link wholeStateInPieces} wrote.
 *
 * @param first - State of the block at which the chain begins, whose codes the state shares.
 * @throws {ByteReaderError} If the bytes are no state.
 * @throws {MissingStateError} If it is not known to the fork.
 */
export function readWholeState(record: Uint8Array, first: StateSnapshot, isFork: boolean): StateSnapshot {
  const reader = new ByteReader(record)
  if (!isFork) return readState(reader, first.codes)
  const difference = readDifference(reader)
  reader.finish()
  return changedState(first, [difference], 'after')
}

/** Hashes of the codes that every run creates itself: those of block 0. */
export function genesisCodes(state: StateSnapshot, isFork: boolean): Set<Hash> {
  return new Set(isFork ? [] : [...state.accounts()].map(([, { codeHash }]) => codeHash))
}
