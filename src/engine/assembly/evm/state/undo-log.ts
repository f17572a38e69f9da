/** The undo log of a message: old words and flags in order, to revert a failed frame. */
import { growBlock } from '../host/heap.ts'
import { copyWord } from '../words/word.ts'

/** A word was changed. */
const WORD: u32 = 0
/** A number of 64 bits was changed. */
const NUMBER: u32 = 1

@unmanaged
class Change {
  kind: u32
  /** Address of the value. */
  at: usize
  value0: u64
  value1: u64
  value2: u64
  value3: u64
}

let changes: usize = 0
let size: usize = 0

/** Without memory of its own. */
export function resetUndoLog(): void {
  changes = 0
  size = 0
}

/** For the message that begins. */
export function beginUndoLog(): void {
  size = 0
}

/** For {@link revertTo}. */
export function undoMark(): usize {
  return size
}

/** To be called before the word changes. */
export function keepWord(at: usize): void {
  const change = append(WORD, at)
  copyWord(change + offsetof<Change>('value0'), at)
}

/** To be called before the number changes. */
export function keepNumber(at: usize): void {
  const change = append(NUMBER, at)
  store<u64>(change + offsetof<Change>('value0'), load<u64>(at))
}

function append(kind: u32, at: usize): usize {
  changes = growBlock(changes, size, size + offsetof<Change>())
  const change = changetype<Change>(changes + size)
  change.kind = kind
  change.at = at
  size += offsetof<Change>()
  return changetype<usize>(change)
}

/** Restores the values at a mark. */
export function revertTo(mark: usize): void {
  while (size > mark) {
    size -= offsetof<Change>()
    const change = changetype<Change>(changes + size)
    const value = changes + size + offsetof<Change>('value0')
    if (change.kind == WORD) copyWord(change.at, value)
    else store<u64>(change.at, load<u64>(value))
  }
}
