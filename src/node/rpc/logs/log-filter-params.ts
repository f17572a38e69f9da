import type { Address, Hash } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { type BlockByNumber, blockNumber } from '../params/block-params.ts'
import { parseAddress, parseHash } from '../params/hex-params.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../params/param.ts'

/** Selects logs; an empty list selects everything. */
export interface LogFilter {
  readonly addresses: readonly Address[]
  /** For each position, the accepted topics. */
  readonly topics: readonly (readonly Hash[])[]
}

/** Selects the logs of one block, or of a range; values that were left out or `null` are `undefined`. */
export interface LogQuery extends LogFilter {
  /** If set, there is no range. */
  readonly blockHash: Hash | undefined
  readonly fromBlock: BlockByNumber | undefined
  readonly toBlock: BlockByNumber | undefined
}

/** Number of addresses and topics in a filter. */
export const countCriteria = ({ addresses, topics }: LogFilter) =>
  topics.reduce((sum, { length }) => sum + length, addresses.length)

const MAX_TOPICS = 4
/** Most addresses, and most topics per position, as in geth. */
const MAX_ALTERNATIVES = 1_000

/** The filter object of log subscriptions; only `address` and `topics` are used. */
export const logFilter: Param<LogFilter> = {
  parse(value) {
    if (!isObject(value)) throw new ParamError('invalid filter: not an object')
    return { addresses: parseAddresses(value['address']), topics: parseTopics(value['topics']) }
  },
}

/** The filter object of `eth_getLogs` and `eth_newFilter`. */
export const logQuery: Param<LogQuery> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type filters.input')
    const blockHash = value['blockHash'] ?? undefined
    const fromBlock = value['fromBlock'] ?? undefined
    const toBlock = value['toBlock'] ?? undefined
    if (blockHash !== undefined && (fromBlock !== undefined || toBlock !== undefined)) {
      throw new ParamError('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other')
    }
    return {
      ...logFilter.parse(value),
      blockHash: blockHash === undefined ? undefined : parseHash(blockHash, 'input.blockHash'),
      fromBlock: fromBlock === undefined ? undefined : blockNumber.parse(fromBlock),
      toBlock: toBlock === undefined ? undefined : blockNumber.parse(toBlock),
    }
  },
}

function checkAlternatives(values: readonly unknown[]): void {
  if (values.length > MAX_ALTERNATIVES) throw new ParamError('exceed max addresses or topics per search position')
}

function parseAddresses(value: unknown): readonly Address[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [parseAddress(value)]
  if (!Array.isArray(value)) throw new ParamError('invalid addresses in query')
  checkAlternatives(value)
  return value.map((item: unknown, i) => {
    if (typeof item !== 'string') throw new ParamError(`non-string address at index ${i}`)
    return parseAddress(item)
  })
}

function parseTopics(value: unknown): readonly (readonly Hash[])[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new ParamError('invalid topic(s)')
  if (value.length > MAX_TOPICS) throw new ParamError('exceed max topics')
  return value.map((position: unknown) => {
    if (position === null) return []
    if (typeof position === 'string') return [parseHash(position)]
    if (!Array.isArray(position)) throw new ParamError('invalid topic(s)')
    checkAlternatives(position)
    // As in geth, a null among the alternatives makes the position match any topic.
    if (position.includes(null)) return []
    return position.map((topic: unknown) => {
      if (typeof topic !== 'string') throw new ParamError('invalid topic(s)')
      return parseHash(topic)
    })
  })
}
