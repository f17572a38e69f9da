import { othersText } from '#ui/format/contract-text.ts'
import { shortHex } from '#ui/format/hex.ts'
import type { Argument, Decoded, ShownValue } from './decoded.ts'

/** How many characters of a text, and items of a list, fit in a line. */
const SHOWN_CHARACTERS = 32
const SHOWN_ITEMS = 3

/** A value in a few characters, for one line. */
export function valueText(value: ShownValue): string {
  switch (value.kind) {
    case 'address':
      return shortHex(value.address)
    case 'integer':
      return value.name ?? String(value.integer)
    case 'function':
      return `${shortHex(value.address)}.${value.selector}`
    case 'boolean':
      return String(value.boolean)
    case 'bytes':
      return shortHex(value.bytes)
    case 'text':
      return `“${othersText(value.text, SHOWN_CHARACTERS)}”`
    case 'list':
      return `[${few(value.items.map(valueText))}]`
    case 'tuple':
      return `(${few(value.members.map((member) => valueText(member.value)))})`
    case 'hashed':
      return `hash ${shortHex(value.hash)}`
  }
}

function few(texts: readonly string[]): string {
  const more = texts.length - SHOWN_ITEMS
  return [...texts.slice(0, SHOWN_ITEMS), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** `transfer(to: 0x7099…79c8, amount: 5)`. */
export function decodedText({ name, args }: Pick<Decoded, 'name' | 'args'>): string {
  return `${name}(${args.map(argumentText).join(', ')})`
}

function argumentText({ name, value }: Argument): string {
  return name ? `${name}: ${valueText(value)}` : valueText(value)
}
