import type { Address } from '#primitives/hex.ts'
import { ROOM_MARKS, type RoomGuest } from '#rpc-types/methods/room.ts'

type Marks = ReadonlyMap<Address, number>

/**
 * The marks of guests by their address, of those that a room has: each is a picture that is kept. Returns `before` itself
 * if none has changed, so that nothing is drawn again.
 */
export function marksOf(guests: readonly Pick<RoomGuest, 'address' | 'mark'>[], before: Marks | undefined): Marks {
  const marks = new Map(guests.map(({ address, mark }) => [address.toLowerCase() as Address, mark % ROOM_MARKS]))
  const isSame = marks.size === before?.size && [...marks].every(([address, mark]) => before.get(address) === mark)
  return isSame ? before : marks
}
