import { type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import { cannotUnmarshal, jsonType } from './json-type.ts'
import { type Param, ParamError } from './param.ts'

/** Slots of one `eth_getProof`, as in geth. */
const MAX_SLOTS = 1024
const WORD_DIGITS = 64

/** A storage slot and how to name it in the answer. */
export interface SlotArg {
  readonly slot: Hash
  /** As geth: 32 bytes stay as they are, anything shorter becomes a quantity. */
  readonly shown: Hex
}

/** A storage slot: up to 32 bytes, leading zeros and prefix optional. */
export const slot: Param<SlotArg> = { parse: parseSlot }

/** The slots of `eth_getProof`. */
export const slots: Param<readonly SlotArg[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type []string')
    if (value.length > MAX_SLOTS) throw new ParamError(`too many slots (max ${MAX_SLOTS})`)
    return value.map(parseSlot)
  },
}

function parseSlot(value: unknown): SlotArg {
  if (typeof value !== 'string') throw cannotUnmarshal(jsonType(value), 'value of type string')
  const digits = value.replace(/^0x/i, '').toLowerCase()
  if (!/^[0-9a-f]*$/.test(digits)) throw new ParamError('unable to decode storage key: hex string invalid')
  if (digits.length > WORD_DIGITS) {
    throw new ParamError('unable to decode storage key: hex string too long, want at most 32 bytes')
  }
  const word: Hash = `0x${digits.padStart(WORD_DIGITS, '0')}`
  return { slot: word, shown: digits.length === WORD_DIGITS ? word : toQuantity(BigInt(word)) }
}
