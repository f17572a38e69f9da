import type { EngineInstance } from '#engine/engine-instance.ts'
import type { LinearMemory } from '#engine/linear-memory.ts'
import { EMPTY_CODE_HASH } from '../state/state-snapshot.ts'
import type { WorldState } from '../state/world-state.ts'

/** Records of `src/engine/assembly/evm/collect.ts`. */
const ACCOUNT_BYTES = 56
const SLOT_BYTES = 72
const WORD_BYTES = 32

/** What becomes of an account, as flags. */
const REMOVED = 1
const HAS_NEW_CODE = 2
const STORAGE_CLEARED = 4

/** Writes what a message has changed into the state. */
export function applyChanges(instance: EngineInstance, state: WorldState): void {
  const { exports } = instance
  exports.collect()
  const accounts = exports.changedAccountsAt()
  const accountsEnd = accounts + exports.changedAccountsSize()
  for (let at = accounts; at < accountsEnd; at += ACCOUNT_BYTES) applyAccount(instance, at, state)
  const slots = exports.changedSlotsAt()
  const slotsEnd = slots + exports.changedSlotsSize()
  for (let at = slots; at < slotsEnd; at += SLOT_BYTES) applySlot(instance, at, state)
}

function applyAccount(instance: EngineInstance, at: number, state: WorldState): void {
  const { memory } = instance
  const { view } = memory
  const address = instance.addressOf(view.getUint32(at, true))
  const fate = view.getUint32(at + 4, true)
  if ((fate & REMOVED) !== 0) {
    state.setAccount(address, undefined)
    return
  }
  const codeHash = state.account(address)?.codeHash ?? EMPTY_CODE_HASH
  state.setAccount(address, { nonce: view.getBigUint64(at + 16, true), balance: memory.readWord(at + 24), codeHash })
  if ((fate & STORAGE_CLEARED) !== 0) state.clearStorage(address)
  if ((fate & HAS_NEW_CODE) !== 0) {
    state.setCode(address, memory.slice(view.getUint32(at + 8, true), view.getUint32(at + 12, true)))
  }
}

function applySlot(instance: EngineInstance, at: number, state: WorldState): void {
  const { memory } = instance
  const { view } = memory
  const slot = instance.slotOf(view.getUint32(at + 4, true)) ?? memory.readHash(at + 8)
  state.setStorage(instance.addressOf(view.getUint32(at, true)), slot, minimalWord(memory, at + 40))
}

/** A copy of the word that stands there, the highest byte first, without leading zeros. */
function minimalWord({ bytes }: LinearMemory, at: number): Uint8Array {
  const end = at + WORD_BYTES
  let start = at
  while (start < end && bytes[start] === 0) start++
  return bytes.slice(start, end)
}
