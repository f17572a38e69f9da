import { UNSEEN } from '#primitives/harmless-line.ts'
import { MAX_GUEST_NAME } from '#rpc-types/methods/room.ts'

/** Longest text that is looked at, in UTF-16 units. */
const MAX_TYPED = 200
/** Marks stacked on one letter beyond these would run over what is above and below it. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu
const SOMETHING_TO_SEE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * A guest's name as others see it: without characters that hide or reorder others, in one line.
 *
 * @returns `undefined` if nothing is left to see, or more than `MAX_GUEST_NAME` code points are.
 */
export function cleanGuestName(typed: string): string | undefined {
  if (typed.length > MAX_TYPED) return undefined
  const name = typed
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(UNSEEN, '')
    .replaceAll(STACKED_MARKS, '$1')
    .replaceAll(/ +/gu, ' ')
    .trim()
  return SOMETHING_TO_SEE.test(name) && Array.from(name).length <= MAX_GUEST_NAME ? name : undefined
}
