import { trimLeadingZeros } from '#primitives/bytes.ts'
import { type Address, type Hash, hexToBytes } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { momentSeconds } from '#primitives/unix-time.ts'
import type { BlockOverride } from '../../evm/calls/block-override.ts'
import type { AccountOverride, StateOverride } from '../../evm/calls/state-override.ts'
import { parseAddress, parseBig, parseHash, parseUint64 } from '../params/hex-params.ts'
import { cannotUnmarshal, fieldReader, jsonType, type Param, ParamError } from '../params/param.ts'
import { parseCode } from './code-params.ts'

type Fields = Readonly<Record<string, unknown>>

/** Overrides nothing. */
export const NO_STATE_OVERRIDE: StateOverride = new Map()
export const NO_BLOCK_OVERRIDE: BlockOverride = parseBlockOverride({})

/** State overrides of a call: address → fields. */
export const stateOverride: Param<StateOverride> = { parse: parseStateOverride }

/** Block overrides of a call. */
export const blockOverride: Param<BlockOverride> = { parse: (value) => parseBlockOverride(value) }

/** @throws {ParamError} If the value is not an object of accounts. */
export function parseStateOverride(value: unknown): StateOverride {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type override.StateOverride')
  return new Map(
    Object.entries(value).map(([address, fields]): [Address, AccountOverride] => {
      if (!isObject(fields)) throw cannotUnmarshal(jsonType(fields), 'value of type override.OverrideAccount')
      return [parseAddress(address), parseAccount(fields)]
    }),
  )
}

function parseAccount(fields: Fields): AccountOverride {
  const field = fieldReader(fields, 'OverrideAccount')
  return {
    balance: field('balance', parseBig),
    nonce: field('nonce', parseUint64),
    code: field('code', parseCode),
    state: field('state', parseSlots),
    stateDiff: field('stateDiff', parseSlots),
    movePrecompileTo: field('movePrecompileToAddress', parseAddress),
  }
}

function parseSlots(value: unknown, place: string): ReadonlyMap<Hash, Uint8Array> {
  if (!isObject(value))
    throw cannotUnmarshal(jsonType(value), `struct field ${place} of type map[common.Hash]common.Hash`)
  return new Map(
    Object.entries(value).map(([slot, word]) => [
      parseHash(slot, place),
      trimLeadingZeros(hexToBytes(parseHash(word, place))),
    ]),
  )
}

/**
 * @param isSimulated - Whether it is a block of `eth_simulateV1`, which has a beginning and an end.
 * @throws {ParamError} If the value is not an object, or has a value that no block of this chain can have.
 */
export function parseBlockOverride(value: unknown, isSimulated = false): BlockOverride {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type override.BlockOverrides')
  const field = fieldReader(value, 'BlockOverrides')
  // Only checked for its form: there is no proof of work.
  field('difficulty', parseBig)
  const beaconRoot = field('beaconRoot', parseHash)
  if (beaconRoot !== undefined && !isSimulated) throw notSupported('beaconRoot')
  if (field('withdrawals', countOf)) {
    throw isSimulated
      ? new ParamError('block override "withdrawals": this chain has no withdrawals')
      : notSupported('withdrawals')
  }
  return {
    number: field('number', (number, place) => toSafeNumber(parseBig(number, place), 'number')),
    timestamp: field('time', (time, place) => momentSeconds(toSafeNumber(parseUint64(time, place), 'time'))),
    gasLimit: field('gasLimit', parseUint64),
    coinbase: field('feeRecipient', parseAddress) ?? field('coinbase', parseAddress),
    prevRandao: field('prevRandao', parseHash) ?? field('random', parseHash),
    baseFee: field('baseFeePerGas', parseBig) ?? field('baseFee', parseBig),
    blobBaseFee: field('blobBaseFee', parseBig),
    beaconRoot,
  }
}

function toSafeNumber(value: bigint, name: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ParamError(`block override "${name}" is beyond 2^53`)
  return Number(value)
}

function notSupported(name: string): ParamError {
  return new ParamError(`block override "${name}" is not supported for this RPC method`)
}

function countOf(value: unknown, place: string): number {
  if (Array.isArray(value)) return value.length
  throw cannotUnmarshal(jsonType(value), `struct field ${place} of type types.Withdrawals`)
}
