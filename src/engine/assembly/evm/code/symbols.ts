/**
 * The stack during translation: the value of each position, although nothing has been moved yet. Positions count from the
 * top at the start of the block: 0 is the first word pushed, -1 the word that was on top.
 *
 * PUSH1 2, DUP2, ADD, SWAP1, step by step, where p(i) is the word at the place of position i:
 *
 * |         | position -1 | 0     | 1     | instruction         |
 * | ------- | ----------- | ----- | ----- | ------------------- |
 * | PUSH1 2 | p(-1)       | 2     |       |                     |
 * | DUP2    | p(-1)       | 2     | p(-1) |                     |
 * | ADD     | p(-1)       | p(0)  |       | ADD p(0), p(-1), 2  |
 * | SWAP1   | p(0)        | p(-1) |       |                     |
 *
 * If the block ends there, `settle.ts` swaps the words: EXCHANGE p(0), p(-1).
 */
import { isOnStack, onStack } from './instruction.ts'

/** Positions that a block may reach in each direction. */
const REACH: i32 = 128
/** Safety margin to that limit: more than one step can move. */
const MARGIN: i32 = 24
/**
 * Words below the end of the stack that instructions may write to. A {@link freePlace} is no further beyond the top than
 * the number of places in use: 2 · REACH positions and the two that are held.
 */
export const SPARE_WORDS: usize = 3 * 128

/** Operands, or numbers in the code: see {@link literalAt}. */
const SYMBOLS: usize = memory.data(2 * 128 * 4, 8)
/** Operands that are no longer on the stack but will still be needed. */
const HELD: usize = memory.data(8, 8)
const HELD_COUNT: usize = 2
/** For each place, the number of symbols that refer to it (2 bytes). */
const NEEDS: usize = memory.data(512 * 2, 8)
const NEEDS_BYTES: usize = 512 * 2
/** Marks a place that no symbol refers to. */
const NOTHING: i32 = 0

/** Words above the position 0, below 0 if there are fewer than at first. */
export let height: i32 = 0
/** The lowest position that was read, and the greatest height. */
export let lowest: i32 = 0
export let highest: i32 = 0

export function startSymbols(): void {
  height = 0
  lowest = 0
  highest = 0
  store<i32>(HELD, NOTHING)
  store<i32>(HELD, NOTHING, 4)
  memory.fill(NEEDS, 0, NEEDS_BYTES)
}

/** Whether the block must end because it has run out of positions. */
export function isNearReach(): bool {
  return lowest < MARGIN - REACH || height > REACH - MARGIN
}

/** A symbol for the number behind the PUSH at an offset of the code. */
export function literalAt(offset: u32): i32 {
  return ((offset << 1) | 0x80000000) as i32
}

export function isLiteral(symbol: i32): bool {
  return symbol < 0 && !isOnStack(symbol)
}

export function offsetOfLiteral(symbol: i32): u32 {
  return ((symbol as u32) & 0x7fffffff) >> 1
}

/** The operand for the stack place of a position. */
export function placeOf(position: i32): i32 {
  return onStack(-32 * (position + 1))
}

export function symbolAt(position: i32): i32 {
  while (lowest > position) {
    lowest--
    store<i32>(entryOf(lowest), placeOf(lowest))
    count(placeOf(lowest), 1)
  }
  return load<i32>(entryOf(position))
}

function entryOf(position: i32): usize {
  return SYMBOLS + (((position + REACH) as usize) << 2)
}

/** Only for a position that exists. */
export function setSymbol(position: i32, symbol: i32): void {
  count(symbolAt(position), -1)
  count(symbol, 1)
  store<i32>(entryOf(position), symbol)
}

export function pushSymbol(symbol: i32): void {
  count(symbol, 1)
  store<i32>(entryOf(height++), symbol)
  if (height > highest) highest = height
}

export function popSymbol(): i32 {
  const symbol = symbolAt(height - 1)
  count(symbol, -1)
  height--
  return symbol
}

export function hold(index: usize, operand: i32): void {
  count(held(index), -1)
  count(operand, 1)
  store<i32>(HELD + (index << 2), operand)
}

export function held(index: usize): i32 {
  return load<i32>(HELD + (index << 2))
}

/** Adds or removes a symbol's reference to a place. */
function count(symbol: i32, by: i32): void {
  if (!isOnStack(symbol)) return
  const entry = needsOf(symbol)
  store<u16>(entry, ((load<u16>(entry) as i32) + by) as u16)
}

function needsOf(place: i32): usize {
  return NEEDS + (((REACH - ((place >> 1) >> 5)) as usize) << 1)
}

/** Whether any symbol needs the word at a place. */
export function isNeeded(place: i32): bool {
  return load<u16>(needsOf(place)) != 0
}

/** A place for a word: that of the next position if possible. */
export function freePlace(): i32 {
  let position = height
  while (isNeeded(placeOf(position))) position++
  return placeOf(position)
}

/** Swaps two places. */
export function exchangePlaces(a: i32, b: i32): void {
  for (let i: usize = 0; i < HELD_COUNT; i++) hold(i, exchanged(held(i), a, b))
  for (let i = lowest; i < height; i++) setSymbol(i, exchanged(symbolAt(i), a, b))
}

function exchanged(symbol: i32, a: i32, b: i32): i32 {
  if (symbol == a) return b
  return symbol == b ? a : symbol
}
