import type { EngineInstance } from '#engine/engine-instance.ts'
import { trimLeadingZeros } from '#primitives/bytes.ts'
import { EMPTY_CODE_HASH } from '../state/state-snapshot.ts'
import type { WorldState } from '../state/world-state.ts'

/** Records of `src/engine/assembly/evm/collect.ts`. */
const ACCOUNT_BYTES = 88
const SLOT_BYTES = 96

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

function applyAccount({ memory }: EngineInstance, at: number, state: WorldState): void {
  const { view } = memory
  const address = memory.readAddress(at)
  const fate = view.getUint32(at + 72, true)
  if ((fate & REMOVED) !== 0) {
    state.setAccount(address, undefined)
    return
  }
  const codeHash = state.account(address)?.codeHash ?? EMPTY_CODE_HASH
  state.setAccount(address, { nonce: view.getBigUint64(at + 64, true), balance: memory.readWord(at + 32), codeHash })
  if ((fate & STORAGE_CLEARED) !== 0) state.clearStorage(address)
  if ((fate & HAS_NEW_CODE) !== 0) {
    state.setCode(address, memory.slice(view.getUint32(at + 76, true), view.getUint32(at + 80, true)))
  }
}

function applySlot({ memory }: EngineInstance, at: number, state: WorldState): void {
  // A copy, which the state keeps.
  const value = trimLeadingZeros(memory.slice(at + 64, 32))
  state.setStorage(memory.readAddress(at), memory.readHash(at + 32), value)
}
