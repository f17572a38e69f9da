/** Slots of accounts: persistent ones, loaded from the host like accounts, and transient ones (EIP-1153). */

import { loadSlot, SAME } from '../host/host.ts'
import { copyWord, isZero } from '../words/word.ts'
import { Account, CREATED, has, loaded, WARM } from './account.ts'
import { beginTable, Entry, entryOf, resetTable, Table } from './table.ts'
import { keepNumber, keepWord } from './undo-log.ts'

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
  /** The slot's number among those that the host was asked for; 0 if it was not. */
  number: u32
  /** The {@link epoch} in which the host was asked last. */
  epoch: u32
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
/** As long as it stays, no slot of the state changes, except by messages of this instance. */
let epoch: u32 = 0

const TRANSIENT: Table = changetype<Table>(memory.data(offsetof<Table>(), 8))

export function forgetStorage(): void {
  loadedCount = 0
  resetTable(SLOTS)
  resetTable(TRANSIENT)
}

/** The host is asked again for every slot: since the last message, some may have changed. */
export function renewSlots(): void {
  epoch++
}

/** For the message that begins. */
export function beginStorage(): void {
  beginTable(SLOTS)
  beginTable(TRANSIENT)
}

/** The slot that this message has named last, 0 if there is none; `older` leads to the others. */
export function newestSlot(): usize {
  return SLOTS.newest
}

/** A slot, not yet loaded from the host. */
export function slotAt(account: Account, key: usize): Slot {
  return changetype<Slot>(entryOf(SLOTS, changetype<usize>(account), key, offsetof<Slot>()))
}

export function valueOf(slot: Slot): usize {
  return changetype<usize>(slot) + offsetof<Slot>('value0')
}

export function originalOf(slot: Slot): usize {
  return changetype<usize>(slot) + offsetof<Slot>('original0')
}

/** Loads the value from the host, once per message, and at most once per {@link epoch}. */
export function loadedSlot(slot: Slot): Slot {
  if (slot.isLoaded) return slot
  slot.isLoaded = true
  const account = changetype<Account>(slot.owner)
  if (has(account, CREATED)) {
    // An address with slots cannot get a contract (EIP-7610).
    slot.number = 0
    memory.fill(valueOf(slot), 0, 32)
  } else if (slot.number == 0 || slot.epoch != epoch) {
    const answer = loadSlot(loaded(account).number, changetype<usize>(slot), valueOf(slot), slot.number)
    if (answer != SAME && slot.number == 0) slot.number = ++loadedCount
    slot.epoch = epoch
  }
  copyWord(originalOf(slot), valueOf(slot))
  return slot
}

/** @returns Whether it was warm already. */
export function warmSlot(slot: Slot): bool {
  if ((slot.status & WARM) != 0) return true
  keepNumber(changetype<usize>(slot) + offsetof<Slot>('status'))
  slot.status |= WARM
  return false
}

export function setSlot(slot: Slot, value: usize): void {
  keepWord(valueOf(slot))
  copyWord(valueOf(slot), value)
}

/** The word with a transient value. */
export function transientAt(account: Account, key: usize): usize {
  const slot = entryOf(TRANSIENT, changetype<usize>(account), key, offsetof<TransientSlot>())
  const value = slot + offsetof<TransientSlot>('value0')
  if (changetype<TransientSlot>(slot).isLoaded) return value
  changetype<TransientSlot>(slot).isLoaded = true
  memory.fill(value, 0, 32)
  return value
}
