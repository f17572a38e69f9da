import { toWord } from '#primitives/hex.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../spec/system-contracts.ts'
import type { MissingState } from '../state/missing-state.ts'

/** Entries of the ring buffers of EIP-2935 and EIP-4788. */
const ENTRIES = 8_191

/**
 * The slots that system calls write in the blocks from `number` on, whose timestamps are from `from` to `to`, in
 * seconds.
 */
export function* ringSlots(number: number, from: number, to: number): Generator<MissingState & { kind: 'slot' }> {
  for (let timestamp = from; timestamp <= to; timestamp++) {
    const at = timestamp % ENTRIES
    yield { kind: 'slot', address: BEACON_ROOTS_ADDRESS, slot: toWord(at) }
    yield { kind: 'slot', address: BEACON_ROOTS_ADDRESS, slot: toWord(at + ENTRIES) }
    // There are at most as many blocks as seconds.
    const block = number - 1 + (timestamp - from)
    yield { kind: 'slot', address: HISTORY_STORAGE_ADDRESS, slot: toWord(block % ENTRIES) }
  }
}
