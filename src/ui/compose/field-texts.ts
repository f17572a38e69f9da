import type { AbiParameter } from 'viem'
import { memberIn, membersOf, surplusIn } from './abi-argument.ts'

/** Items of a list that have fields of their own; a longer one is written as JSON. */
export const MAX_ITEM_FIELDS = 50

/** The parameters of a compound value's fields: a struct's members, or a list's items. */
export interface CompoundFields {
  readonly parameters: readonly AbiParameter[]
  readonly texts: readonly string[]
  /** Whether items can be added and removed. */
  readonly isOpen: boolean
}

/**
 * The fields of a struct or a list whose text is a JSON list of the fields' texts, or JSON as a person writes it.
 *
 * @returns `undefined` if the text is not JSON of this form, or has too many items for fields, or members that the struct
 * does not have.
 */
export function fieldsOf(parameter: AbiParameter, text: string): CompoundFields | undefined {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (!array) {
    const parameters = membersOf(parameter)
    const texts = text.trim() === '' ? parameters.map(() => '') : itemsOf(parameter, text)
    return texts && { parameters, texts, isOpen: false }
  }
  const [, itemType = '', size = ''] = array
  const isOpen = size === ''
  const blank = Array.from({ length: isOpen ? 0 : Math.min(Number(size), MAX_ITEM_FIELDS + 1) }, () => '')
  const texts = text.trim() === '' ? blank : itemsOf(parameter, text)
  if (!texts || texts.length > MAX_ITEM_FIELDS || (!isOpen && texts.length !== Number(size))) return undefined
  const item = { ...parameter, type: itemType, name: '' }
  return { parameters: texts.map(() => item), texts, isOpen }
}

/** The opposite of {@link fieldsOf}. */
export function textOfFields(texts: readonly string[]): string {
  return JSON.stringify(texts)
}

function itemsOf(parameter: AbiParameter, text: string): readonly string[] | undefined {
  try {
    return itemsOfJson(parameter, JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function itemsOfJson(parameter: AbiParameter, json: unknown): readonly string[] | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const array = /^(.*)\[\d*\]$/.exec(parameter.type)
  if (array) {
    const item = { ...parameter, type: array[1] ?? '' }
    return Array.isArray(json) ? json.map((each: unknown) => textOf(item, each)) : undefined
  }
  // Fields would drop them without a word.
  if (surplusIn(parameter, json) !== undefined) return undefined
  return membersOf(parameter).map((member, i) => textOf(member, memberIn(json, member, i)))
}

function textOf(parameter: AbiParameter, json: unknown): string {
  if (json === undefined || json === null) return ''
  if (typeof json === 'string') return json
  const items = itemsOfJson(parameter, json)
  return items ? textOfFields(items) : JSON.stringify(json)
}
