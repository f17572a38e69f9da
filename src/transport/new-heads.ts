import { NEW_HEADS, type NewHeads } from '#rpc-types/connection.ts'

/** The parameter `newHeads` in an address. */
const NEW_HEADS_IN_QUERY = /^[^?#]*\?(?:[^#]*&)?newHeads=([^&#]*)/u

/** Why a WebSocket is refused whose address asks for other ones. */
export const NEW_HEADS_REFUSAL = `?newHeads= takes one of ${NEW_HEADS.join(', ')}\n`

/**
 * What an address says that `newHeads` sends, as in `/?newHeads=partial`; `sealed` if it does not say.
 *
 * @param url - A whole URL, or its path and query.
 * @returns 400 for an unknown value.
 */
export function newHeadsOf(url: string): NewHeads | 400 {
  const asked = NEW_HEADS_IN_QUERY.exec(url)?.[1] ?? 'sealed'
  return NEW_HEADS.find((each) => each === asked) ?? 400
}
