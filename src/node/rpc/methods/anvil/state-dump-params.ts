import { type Address, hexToBytes } from '#primitives/hex.ts'
import type { AccountContent } from '../../../state/edit-account.ts'
import { parseCode } from '../../calls/code-params.ts'
import { parseAddress, parseData } from '../../params/hex-params.ts'
import { cannotUnmarshal, isObject, jsonType, type Param, ParamError } from '../../params/param.ts'
import { amount, word } from './anvil-params.ts'

export type DumpedAccounts = ReadonlyMap<Address, AccountContent>

const FORMAT = 'blinknet-state'
const GZIP = [0x1f, 0x8b]

/** A state as `devnet_exportState` gives it. */
export const stateDump: Param<DumpedAccounts> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type StateDump')
    const { format, version, accounts } = value
    if (format !== FORMAT || version !== 1) throw new ParamError(`not a state of format "${FORMAT}", version 1`)
    return parseAccounts(accounts)
  },
}

/**
 * A state as `anvil_dumpState` gives it, in hexadecimal digits or as JSON; also anvil's own, which has numbers for nonces
 * and no version.
 */
export const foreignStateDump: Param<DumpedAccounts> = {
  parse(value) {
    const dump = typeof value === 'string' ? parseEncoded(value) : value
    if (isObject(dump) && dump['format'] !== undefined) return stateDump.parse(dump)
    if (!isObject(dump)) throw cannotUnmarshal(jsonType(dump), 'value of type SerializableState')
    return parseAccounts(dump['accounts'])
  },
}

function parseEncoded(text: string): unknown {
  const bytes = parseData(text)
  if (bytes[0] === GZIP[0] && bytes[1] === GZIP[1]) {
    throw new ParamError('the state is compressed with gzip; unpack it and pass the JSON')
  }
  let json = ''
  for (const byte of bytes) json += String.fromCharCode(byte)
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new ParamError('the bytes are not JSON', { cause })
  }
}

function parseAccounts(value: unknown): DumpedAccounts {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'struct field accounts')
  return new Map(
    Object.entries(value).map(([address, content]) => [parseAddress(address, 'accounts'), parseContent(content)]),
  )
}

function parseContent(value: unknown): AccountContent {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'struct field accounts of type Account')
  const { nonce = 0, balance = 0, code, storage } = value
  const slots = storage ?? {}
  if (!isObject(slots)) throw cannotUnmarshal(jsonType(slots), 'struct field storage')
  return {
    nonce: amount(64).parse(nonce),
    balance: amount(256).parse(balance),
    code: code === undefined || code === null ? new Uint8Array(0) : parseCode(code, 'code'),
    storage: new Map(
      Object.entries(slots).map(([slot, content]) => [word.parse(slot), hexToBytes(word.parse(content))]),
    ),
  }
}
