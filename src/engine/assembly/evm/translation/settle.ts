/** Moves words to their places on the stack, where all code outside the block expects them. */
import { Code } from '../code/code.ts'
import { EXCHANGE, isOnStack, MOVE } from '../code/instruction.ts'
import { exchangePlaces, freePlace, height, isNeeded, lowest, placeOf, setSymbol, symbolAt } from '../code/symbols.ts'
import { emit, operandOf } from './emit.ts'

/** Moves every word to its place on the stack. */
export function settle(code: Code): void {
  while (true) {
    let blocked = i32.MAX_VALUE
    let hasMoved = false
    for (let i = lowest; i < height; i++) {
      const place = placeOf(i)
      const symbol = symbolAt(i)
      if (symbol == place) continue
      if (isNeeded(place)) {
        blocked = i
        continue
      }
      emitMove(MOVE, place, operandOf(symbol, code))
      setSymbol(i, place)
      hasMoved = true
    }
    if (blocked == i32.MAX_VALUE) return
    if (!hasMoved) untangle(blocked)
  }
}

/** Breaks cycles, where each word's place is taken by another. */
function untangle(position: i32): void {
  const place = placeOf(position)
  const symbol = symbolAt(position)
  if (isOnStack(symbol) && waitsFor(symbol, place)) {
    emitMove(EXCHANGE, place, symbol)
    exchangePlaces(place, symbol)
  } else {
    const other = freePlace()
    emitMove(MOVE, other, place)
    exchangePlaces(place, other)
  }
}

/** Whether a place belongs to a position whose word is elsewhere. */
function waitsFor(place: i32, awaited: i32): bool {
  for (let i = lowest; i < height; i++) if (placeOf(i) == place) return symbolAt(i) == awaited
  return false
}

function emitMove(instruction: u32, place: i32, operand: i32): void {
  store<i32>(emit(instruction, place >> 1), operand, 4)
}
