import { type Address, type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import { RpcRefusedError } from '../../errors.ts'
import { parseAddress } from '../../params/hex-params.ts'
import { cannotUnmarshal, isObject, jsonType } from '../../params/json-type.ts'
import { type Param, ParamError } from '../../params/param.ts'

/** Slots of one `eth_getProof` or `eth_getStorageValues`, as in geth. */
const MAX_SLOTS = 1024
const WORD_DIGITS = 64

/** A storage slot and how to name it in the answer. */
export interface SlotArg {
  readonly slot: Hash
  /** As geth: 32 bytes stay as they are, be it without their first zero, and anything shorter becomes a quantity. */
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

/** The slots of `eth_getStorageValues`, by account. */
export const slotsByAccount: Param<ReadonlyMap<Address, readonly SlotArg[]>> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type map[common.Address][]common.Hash')
    const wanted = new Map(Object.entries(value).map(([account, keys]) => [parseAddress(account), slots.parse(keys)]))
    const count = [...wanted.values()].reduce((sum, { length }) => sum + length, 0)
    if (count > MAX_SLOTS) throw new ParamError(`too many slots (max ${MAX_SLOTS})`)
    if (count === 0) throw new RpcRefusedError('invalid-params', 'empty request')
    return wanted
  },
}

function parseSlot(value: unknown): SlotArg {
  if (typeof value !== 'string') throw cannotUnmarshal(jsonType(value), 'value of type string')
  const digits = value.replace(/^0x/i, '').toLowerCase()
  if (digits.length > WORD_DIGITS) throw refused('storage key too long (want at most 32 bytes)', value)
  if (!/^[0-9a-f]*$/.test(digits)) throw refused('invalid hex in storage key', value)
  const word: Hash = `0x${digits.padStart(WORD_DIGITS, '0')}`
  return { slot: word, shown: digits.length > WORD_DIGITS - 2 ? word : toQuantity(BigInt(word)) }
}

/** Geth finds these out in the method itself, so it does not say which argument it was. */
function refused(message: string, key: string): RpcRefusedError {
  return new RpcRefusedError('invalid-params', `${message}: ${JSON.stringify(key)}`)
}
