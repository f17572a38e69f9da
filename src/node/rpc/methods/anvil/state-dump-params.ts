import { type Address, type Hash, hexToBytes } from '#primitives/hex.ts'
import type { ExecutionGuard } from '../../../evm/message.ts'
import type { AccountContent } from '../../../state/edit-account.ts'
import { parseCode } from '../../calls/code-params.ts'
import { parseAddress, parseData } from '../../params/hex-params.ts'
import { cannotUnmarshal, isObject, jsonType, type Param, ParamError } from '../../params/param.ts'
import { amount, word } from './anvil-params.ts'

export type DumpedAccounts = ReadonlyMap<Address, AccountContent>

/** The accounts of a dump before {@link parseAccounts}, which can take seconds. */
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
 * The accounts of a state as `anvil_dumpState` gives it, in hexadecimal digits or as JSON; also anvil's own, which has numbers for nonces
 * and no version.
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

/**
 * Parses accounts; hands the thread over as `guard` says.
 *
 * @throws {ParamError} For the first one that is invalid.
 */
export async function parseAccounts(accounts: RawAccounts, guard: ExecutionGuard): Promise<DumpedAccounts> {
  const parsed = new Map<Address, AccountContent>()
  for (const [address, content] of Object.entries(accounts)) {
    parsed.set(parseAddress(address, 'accounts'), await parseContent(content, guard))
    await guard.checkpoint()
  }
  return parsed
}

async function parseContent(value: unknown, guard: ExecutionGuard): Promise<AccountContent> {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'struct field accounts of type Account')
  const { nonce = 0, balance = 0, code, storage } = value
  const slots = storage ?? {}
  if (!isObject(slots)) throw cannotUnmarshal(jsonType(slots), 'struct field storage')
  const account = {
    nonce: amount(64).parse(nonce),
    balance: amount(256).parse(balance),
    code: code === undefined || code === null ? new Uint8Array(0) : parseCode(code, 'code'),
  }
  const parsed = new Map<Hash, Uint8Array>()
  for (const [slot, content] of Object.entries(slots)) {
    parsed.set(word.parse(slot), hexToBytes(word.parse(content)))
    const pause = guard.checkpoint()
    if (pause) await pause
  }
  return { ...account, storage: parsed }
}
