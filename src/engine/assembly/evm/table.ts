/** Accounts and slots by what they are called: hash tables of entries, which stay where they are while a table grows. */
import { allocate, allocateBlock, freeBlock } from './heap.ts'
import { copyWord, equalWords } from './word.ts'

const SMALLEST: u32 = 64

/** What all entries begin with. */
@unmanaged
export class Entry {
  /** A word: the address or the slot. */
  key0: u64
  key1: u64
  key2: u64
  key3: u64
  /** The account that a slot belongs to; 0 for an account. */
  owner: usize
  /** The entry that was added before. */
  older: usize
}

@unmanaged
export class Table {
  /** Addresses of entries, 0 where there is none. */
  places: usize
  mask: u32
  count: u32
  newest: usize
}

/** Makes a table empty, without memory of its own. */
export function resetTable(table: Table): void {
  table.places = 0
  table.mask = 0
  table.count = 0
  table.newest = 0
}

/** The entry of that name, added if there is none: `size` bytes, zeros after the name. */
export function entryOf(table: Table, owner: usize, key: usize, size: usize): usize {
  if (table.count * 2 >= table.mask) grow(table)
  let index = hashOf(owner, key) & table.mask
  while (true) {
    const place = table.places + ((index as usize) << 2)
    const entry = load<u32>(place) as usize
    if (entry == 0) return addEntry(table, place, owner, key, size)
    if (changetype<Entry>(entry).owner == owner && equalWords(entry, key)) return entry
    index = (index + 1) & table.mask
  }
}

function addEntry(table: Table, place: usize, owner: usize, key: usize, size: usize): usize {
  const added = allocate(size)
  copyWord(added, key)
  const entry = changetype<Entry>(added)
  entry.owner = owner
  entry.older = table.newest
  table.newest = added
  table.count++
  store<u32>(place, added as u32)
  return added
}

function grow(table: Table): void {
  freeBlock(table.places)
  const capacity = table.count == 0 ? SMALLEST : (table.mask + 1) * 2
  table.mask = capacity - 1
  table.places = allocateBlock((capacity as usize) << 2)
  memory.fill(table.places, 0, (capacity as usize) << 2)
  for (let entry = table.newest; entry != 0; entry = changetype<Entry>(entry).older) {
    let index = hashOf(changetype<Entry>(entry).owner, entry) & table.mask
    while (load<u32>(table.places + ((index as usize) << 2)) != 0) index = (index + 1) & table.mask
    store<u32>(table.places + ((index as usize) << 2), entry as u32)
  }
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
