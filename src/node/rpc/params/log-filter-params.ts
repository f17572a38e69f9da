import type { Address, Hash } from '#primitives/hex.ts'
import { parseAddress, parseHash } from './hex-params.ts'
import { isObject } from './json-type.ts'
import { type Param, ParamError } from './param.ts'

/** Selects logs; an empty list selects everything. */
export interface LogFilter {
  readonly addresses: readonly Address[]
  /** At each position any of these. */
  readonly topics: readonly (readonly Hash[])[]
}

const MAX_TOPICS = 4

/** The filter object of log subscriptions; members other than `address` and `topics` are passed over. */
export const logFilter: Param<LogFilter> = {
  parse(value) {
    if (!isObject(value)) throw new ParamError('invalid filter: not an object')
    return { addresses: parseAddresses(value['address']), topics: parseTopics(value['topics']) }
  },
}

function parseAddresses(value: unknown): readonly Address[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [parseAddress(value)]
  if (!Array.isArray(value)) throw new ParamError('invalid addresses in query')
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
    // As in geth, a null among the alternatives makes the position match anything.
    if (position.includes(null)) return []
    return position.map((topic: unknown) => {
      if (typeof topic !== 'string') throw new ParamError('invalid topic(s)')
      return parseHash(topic)
    })
  })
}
