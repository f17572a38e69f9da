/** Slots of accounts: what lasts, asked of the host once, and what is transient (EIP-1153). */
import { Account, CREATED, has, loaded } from './account.ts'
import { loadSlot } from './host.ts'
import { keepNumber, keepWord } from './journal.ts'
import { Entry, entryOf, resetTable, Table } from './table.ts'
import { copyWord, isZero } from './word.ts'

@unmanaged
export class Slot extends Entry {
  value0: u64
  value1: u64
  value2: u64
  value3: u64
  /** The value at the start of the transaction (EIP-2200). */
  original0: u64
  original1: u64
  original2: u64
  original3: u64
  /** 1 if it was accessed before in this transaction (EIP-2929). */
  warm: u64
  isLoaded: bool
  /** Its number among those that the host was asked for; 0 if it was not. */
  number: u32
}

@unmanaged
class TransientSlot extends Entry {
  value0: u64
  value1: u64
  value2: u64
  value3: u64
}

const SLOTS: Table = changetype<Table>(memory.data(offsetof<Table>(), 8))
/** Slots that the host was asked for. */
let loadedCount: u32 = 0

const TRANSIENT: Table = changetype<Table>(memory.data(offsetof<Table>(), 8))

export function resetStorage(): void {
  loadedCount = 0
  resetTable(SLOTS)
  resetTable(TRANSIENT)
}

/** The newest slot that was named, 0 if there is none; `older` leads to the others. */
export function newestSlot(): usize {
  return SLOTS.newest
}

/** A slot, the host not yet asked. */
export function slotAt(account: Account, key: usize): Slot {
  return changetype<Slot>(entryOf(SLOTS, changetype<usize>(account), key, offsetof<Slot>()))
}

export function valueOf(slot: Slot): usize {
  return changetype<usize>(slot) + offsetof<Slot>('value0')
}

export function originalOf(slot: Slot): usize {
  return changetype<usize>(slot) + offsetof<Slot>('original0')
}

/** Asks the host for the value if that was not done. */
export function loadedSlot(slot: Slot): Slot {
  if (slot.isLoaded) return slot
  slot.isLoaded = true
  const account = changetype<Account>(slot.owner)
  // Where there are slots, no account can be made (EIP-7610).
  if (has(account, CREATED)) return slot
  slot.number = ++loadedCount
  loadSlot(loaded(account).number, changetype<usize>(slot), originalOf(slot))
  copyWord(valueOf(slot), originalOf(slot))
  return slot
}

/** @returns Whether it was warm already. */
export function warmSlot(slot: Slot): bool {
  if (slot.warm != 0) return true
  keepNumber(changetype<usize>(slot) + offsetof<Slot>('warm'))
  slot.warm = 1
  return false
}

export function setSlot(slot: Slot, value: usize): void {
  keepWord(valueOf(slot))
  copyWord(valueOf(slot), value)
}

function clearSlot(slot: Slot): void {
  if (isZero(valueOf(slot))) return
  keepWord(valueOf(slot))
  memory.fill(valueOf(slot), 0, 32)
}

/** An account is made where there may have been slots. */
export function clearStorage(account: Account): void {
  for (let at = SLOTS.newest; at != 0; at = changetype<Entry>(at).older) {
    const slot = changetype<Slot>(at)
    if (slot.owner == changetype<usize>(account) && slot.isLoaded) clearSlot(slot)
  }
}

/** The word with a transient value. */
export function transientAt(account: Account, key: usize): usize {
  const slot = entryOf(TRANSIENT, changetype<usize>(account), key, offsetof<TransientSlot>())
  return slot + offsetof<TransientSlot>('value0')
}
