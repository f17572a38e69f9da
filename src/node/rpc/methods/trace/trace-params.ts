import type { Address } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { RpcTraceType } from '#rpc-types/methods/trace.ts'
import { quote } from '../../../spec/parse-option.ts'
import { type BlockByNumber, blockNumber } from '../../params/block-params.ts'
import { parseAddress } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../../params/param.ts'
import { hexOrDecimal } from '../../params/plain-params.ts'

/** Addresses of one list, as of a log filter. */
const MAX_ADDRESSES = 1_000
/** Frames within each other, that of the transaction included. */
const MAX_DEPTH = 1_025

/** Selects frames; an empty list of addresses selects everything. */
export interface TraceFilter {
  readonly fromBlock: BlockByNumber
  readonly toBlock: BlockByNumber
  readonly fromAddress: ReadonlySet<Address>
  readonly toAddress: ReadonlySet<Address>
  /** Whether a frame has to be in both lists, where both have addresses. */
  readonly matchesBoth: boolean
  /** Frames to leave out first. */
  readonly after: number
  /** Frames at the most. */
  readonly count: number
}

/** The filter object of `trace_filter`. */
export const traceFilter: Param<TraceFilter> = {
  parse(value) {
    if (!isObject(value)) throw new ParamError('invalid filter: not an object')
    const { mode, after, count } = value
    if (isGiven(mode) && mode !== 'union' && mode !== 'intersection') {
      throw new ParamError('mode is neither union nor intersection')
    }
    const numberOf = (given: unknown) => Number(hexOrDecimal.parse(given))
    return {
      fromBlock: isGiven(value['fromBlock']) ? blockNumber.parse(value['fromBlock']) : 'earliest',
      toBlock: isGiven(value['toBlock']) ? blockNumber.parse(value['toBlock']) : 'latest',
      fromAddress: addressesOf(value['fromAddress']),
      toAddress: addressesOf(value['toAddress']),
      matchesBoth: mode === 'intersection',
      after: isGiven(after) ? numberOf(after) : 0,
      count: isGiven(count) ? numberOf(count) : Number.POSITIVE_INFINITY,
    }
  },
}

function addressesOf(value: unknown): ReadonlySet<Address> {
  if (!isGiven(value)) return new Set()
  if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type []common.Address')
  if (value.length > MAX_ADDRESSES) throw new ParamError(`more than ${MAX_ADDRESSES} addresses`)
  return new Set(value.map((item: unknown) => parseAddress(item)))
}

/** A position in the tree of calls. */
export const traceAddress: Param<readonly number[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type []hexutil.Uint64')
    if (value.length > MAX_DEPTH) throw new ParamError(`calls are at most ${MAX_DEPTH} deep`)
    return value.map((item: unknown) => Number(hexOrDecimal.parse(item)))
  },
}

const TRACE_TYPES: readonly string[] = ['trace', 'stateDiff'] satisfies readonly RpcTraceType[]

/** What a replay should return. */
export const traceTypes: Param<ReadonlySet<string>> = {
  parse(value) {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type []string')
    for (const type of value as readonly unknown[]) {
      if (type === 'vmTrace') {
        throw new ParamError('vmTrace is not supported: debug_traceTransaction without a tracer tells of every step')
      }
      if (typeof type !== 'string' || !TRACE_TYPES.includes(type))
        throw new ParamError(`no trace type is ${quote(type)}`)
    }
    return new Set(value as readonly string[])
  },
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
