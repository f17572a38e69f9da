import { isObject } from '#primitives/json-object.ts'
import { parseData } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../../params/param.ts'

/** The accounts of a dump before they are parsed, which can take seconds. */
export type RawAccounts = Readonly<Record<string, unknown>>

const FORMAT = 'blinknet-state'
const GZIP = [0x1f, 0x8b]

/** The accounts of a state as `devnet_exportState` gives it. */
export const stateDump: Param<RawAccounts> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type StateDump')
    const { format, version, accounts } = value
    if (format !== FORMAT || version !== 1) throw new ParamError(`not a state of format "${FORMAT}", version 1`)
    return rawAccounts(accounts)
  },
}

/**
 * The accounts of a state as `anvil_dumpState` gives it, in hexadecimal digits or as JSON; also anvil's own, which has
 * numbers for nonces and no version.
 */
export const foreignStateDump: Param<RawAccounts> = {
  parse(value) {
    const dump = typeof value === 'string' ? parseEncoded(value) : value
    if (isObject(dump) && dump['format'] !== undefined) return stateDump.parse(dump)
    if (!isObject(dump)) throw cannotUnmarshal(jsonType(dump), 'value of type SerializableState')
    return rawAccounts(dump['accounts'])
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

function rawAccounts(value: unknown): RawAccounts {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'struct field accounts')
  return value
}
