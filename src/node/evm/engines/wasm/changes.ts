import { RESULT } from '#engine/engine-exports.ts'
import type { EngineInstance } from '#engine/engine-instance.ts'
import { EMPTY_CODE_HASH } from '../../../state/state-snapshot.ts'
import type { WorldState } from '../../../state/world-state.ts'

/** Records of `src/engine/assembly/evm/state/collect.ts`. */
const ACCOUNT_BYTES = 56
const SLOT_BYTES = 72

/** Flags for changes of an account. */
const REMOVED = 1
const HAS_NEW_CODE = 2

/**
 * Writes a message's changes into the state.
 *
 * @param result - Address of the result in memory.
 * @returns Whether the engine's cached accounts and slots are still valid, because the changes were simple enough.
 */
export function applyChanges(instance: EngineInstance, result: number, state: WorldState): boolean {
  const { view } = instance.memory
  let isKept = true
  const accountsEnd = view.getUint32(result + RESULT.accountsEnd, true)
  for (let at = view.getUint32(result + RESULT.accounts, true); at < accountsEnd; at += ACCOUNT_BYTES) {
    if (applyAccount(instance, at, state) !== 0) isKept = false
  }
  const slotsEnd = view.getUint32(result + RESULT.slotsEnd, true)
  for (let at = view.getUint32(result + RESULT.slots, true); at < slotsEnd; at += SLOT_BYTES) {
    applySlot(instance, at, state)
  }
  return isKept
}

/** @returns The flags of its changes other than nonce and balance. */
function applyAccount(instance: EngineInstance, at: number, state: WorldState): number {
  const { memory } = instance
  const { view } = memory
  const number = view.getUint32(at, true)
  const address = instance.addressOf(number)
  const fate = view.getUint32(at + 4, true)
  if ((fate & REMOVED) !== 0) {
    state.setAccount(address, undefined)
    return fate
  }
  const codeHash = state.account(address)?.codeHash ?? EMPTY_CODE_HASH
  const account = { nonce: view.getBigUint64(at + 16, true), balance: memory.readWord(at + 24), codeHash }
  state.setAccount(address, account)
  instance.keepAccount(number, account)
  if ((fate & HAS_NEW_CODE) !== 0) {
    state.setCode(address, memory.slice(view.getUint32(at + 8, true), view.getUint32(at + 12, true)))
  }
  return fate
}

function applySlot(instance: EngineInstance, at: number, state: WorldState): void {
  const { memory } = instance
  const { view } = memory
  const number = view.getUint32(at + 4, true)
  const slot = instance.slotOf(number) ?? memory.readHash(at + 8)
  const value = memory.readText(at + 40)
  state.setSlotText(instance.addressOf(view.getUint32(at, true)), slot, value)
  instance.keepValue(number, value)
}
