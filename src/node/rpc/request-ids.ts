import { jsonParts, memberText } from '#primitives/json-parts.ts'

/** A number of JSON begins so, and nothing else does. */
const NUMBER = /^-?\d/u

/**
 * The ids of a request, or of a batch's members, as written.
 *
 * @param text - Valid JSON.
 * @returns One per member; `undefined` if it has none, or if the id is not a number.
 */
export function memberIdTexts(text: string): readonly (string | undefined)[] {
  const members = text.trimStart().startsWith('[') ? jsonParts(text) : [text]
  return members.map((member) => {
    const id = memberText(member, 'id')
    return id !== undefined && NUMBER.test(id) ? id : undefined
  })
}
