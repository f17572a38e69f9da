/**
 * Accounts by address and slots by key: hash tables whose entries do not move when a table grows. They
 * outlive the message, so that the next one finds them; their per-message fields are reset.
 */
import { allocate, allocateBlock, freeBlock } from '../host/heap.ts'
import { copyWord, equalWords } from '../words/word.ts'

const SMALLEST: u32 = 64

/** The header of every entry. */
@unmanaged
export class Entry {
  /** A word: the address or the slot. */
  key0: u64
  key1: u64
  key2: u64
  key3: u64
  /** The account that a slot belongs to; 0 for an account. */
  owner: usize
  /** The entry that this message has named before. */
  older: usize
  /** The message that has named it last. */
  message: u32
  /** Whether the host was asked in this message. */
  isLoaded: bool
  /** Flags of this message, which are in the undo log, and those that each message begins with. */
  status: u64
  firstStatus: u64
}

@unmanaged
export class Table {
  /** Addresses of entries, 0 where there is none. */
  places: usize
  mask: u32
  count: u32
  /** The entry that this message has named last, 0 if there is none; `older` leads to the others. */
  newest: usize
  message: u32
}

/** Empties a table and drops its memory. */
export function resetTable(table: Table): void {
  table.places = 0
  table.mask = 0
  table.count = 0
  table.newest = 0
}

/** Keeps the entries; none is named yet. */
export function beginTable(table: Table): void {
  table.message++
  table.newest = 0
}

/** The entry of that name, added if there is none: `size` bytes, zeros after the name. */
export function entryOf(table: Table, owner: usize, key: usize, size: usize): usize {
  if (table.count * 2 >= table.mask) grow(table)
  let index = hashOf(owner, key) & table.mask
  while (true) {
    const place = table.places + ((index as usize) << 2)
    const entry = load<u32>(place) as usize
    if (entry == 0) return nameEntry(table, addEntry(table, place, owner, key, size))
    if (changetype<Entry>(entry).owner == owner && equalWords(entry, key)) {
      return changetype<Entry>(entry).message == table.message ? entry : nameEntry(table, entry)
    }
    index = (index + 1) & table.mask
  }
}

function addEntry(table: Table, place: usize, owner: usize, key: usize, size: usize): usize {
  const added = allocate(size)
  copyWord(added, key)
  changetype<Entry>(added).owner = owner
  table.count++
  store<u32>(place, added as u32)
  return added
}

/** Names an entry for the first time in the message. */
function nameEntry(table: Table, at: usize): usize {
  const entry = changetype<Entry>(at)
  entry.message = table.message
  entry.older = table.newest
  entry.isLoaded = false
  entry.status = entry.firstStatus
  table.newest = at
  return at
}

function grow(table: Table): void {
  const old = table.places
  const oldEnd: usize = old == 0 ? 0 : old + (((table.mask as usize) + 1) << 2)
  const capacity = table.count == 0 ? SMALLEST : (table.mask + 1) * 2
  table.mask = capacity - 1
  table.places = allocateBlock((capacity as usize) << 2)
  memory.fill(table.places, 0, (capacity as usize) << 2)
  for (let place = old; place < oldEnd; place += 4) {
    const entry = load<u32>(place) as usize
    if (entry == 0) continue
    let index = hashOf(changetype<Entry>(entry).owner, entry) & table.mask
    while (load<u32>(table.places + ((index as usize) << 2)) != 0) index = (index + 1) & table.mask
    store<u32>(table.places + ((index as usize) << 2), entry as u32)
  }
  freeBlock(old)
}

function hashOf(owner: usize, key: usize): u32 {
  const mixed =
    load<u64>(key) ^
    rotl<u64>(load<u64>(key, 8), 17) ^
    rotl<u64>(load<u64>(key, 16), 31) ^
    rotl<u64>(load<u64>(key, 24), 47) ^
    ((owner as u64) << 20)
  return ((mixed * 0x9e3779b97f4a7c15) >> 32) as u32
}
