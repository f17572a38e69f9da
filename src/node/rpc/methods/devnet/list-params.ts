import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { quote } from '../../../spec/parse-option.ts'
import type { LogFilter } from '../../logs/log-filter-params.ts'
import { logFilter } from '../../logs/log-filter-params.ts'
import { parseAddress, parseFixed, parseHash } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../../params/param.ts'
import { boolean, integerWithin } from '../../params/plain-params.ts'

/** Numbers of the oldest and the newest block to look at. */
export interface ListRange {
  readonly fromBlock: number | undefined
  readonly toBlock: number | undefined
}

export interface BlockFilter extends ListRange {
  readonly hasTransactions: boolean | undefined
}

export interface TransactionFilter extends ListRange {
  readonly from: Address | undefined
  /** `null`: creations. */
  readonly to: Address | null | undefined
  readonly account: Address | undefined
  readonly status: 0 | 1 | undefined
  readonly selectors: readonly Hex[] | undefined
  readonly isSealed: boolean | undefined
}

export interface LogListFilter extends ListRange, LogFilter {
  readonly word: Hash | undefined
}

export interface AccountFilter {
  readonly isContract: boolean | undefined
}

/** A place in the chain: what stands before it is older. */
export interface PageEnd {
  readonly blockNumber: number
  /** Without one, all of the block stands before it. */
  readonly index: number | undefined
}

export const anyNumber = integerWithin(0, Number.MAX_SAFE_INTEGER)

/** Members of an object; one that has no name here is refused, as a filter that is ignored gives a wrong list. */
function members<Name extends string>(value: unknown, names: readonly Name[]): Readonly<Record<Name, unknown>> {
  if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type object')
  const unknown = Object.keys(value).find((name) => !(names as readonly string[]).includes(name))
  if (unknown !== undefined) {
    throw new ParamError(`there is no ${quote(unknown)} to filter by: there are ${names.join(', ')}`)
  }
  return value
}

function given<Value>(value: unknown, parse: (value: unknown) => Value): Value | undefined {
  return value === undefined || value === null ? undefined : parse(value)
}

const RANGE = ['fromBlock', 'toBlock'] as const

function rangeOf(value: { readonly fromBlock?: unknown; readonly toBlock?: unknown }): ListRange {
  return { fromBlock: given(value.fromBlock, anyNumber.parse), toBlock: given(value.toBlock, anyNumber.parse) }
}

export const blockFilter: Param<BlockFilter> = {
  parse(value) {
    const all = members(value, [...RANGE, 'hasTransactions'])
    return { ...rangeOf(all), hasTransactions: given(all.hasTransactions, boolean.parse) }
  },
}

export const transactionFilter: Param<TransactionFilter> = {
  parse(value) {
    const all = members(value, [...RANGE, 'from', 'to', 'account', 'status', 'selector', 'isSealed'])
    return {
      ...rangeOf(all),
      from: given(all.from, parseAddress),
      to: all.to === null ? null : given(all.to, parseAddress),
      account: given(all.account, parseAddress),
      status: given(all.status, parseStatus),
      selectors: given(all.selector, parseSelectors),
      isSealed: given(all.isSealed, boolean.parse),
    }
  },
}

/** Most selectors of one filter. */
const MAX_SELECTORS = 100

function parseSelectors(value: unknown): readonly Hex[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (all.length > MAX_SELECTORS) throw new ParamError(`${all.length} selectors are more than ${MAX_SELECTORS}`)
  return all.map((each) => (each === '0x' ? each : parseFixed(each, 4, 'FixedBytes4')))
}

function parseStatus(value: unknown): 0 | 1 {
  if (value === 'success') return 1
  if (value === 'failed') return 0
  throw new ParamError(`${quote(value)} is neither "success" nor "failed"`)
}

export const logListFilter: Param<LogListFilter> = {
  parse(value) {
    const all = members(value, [...RANGE, 'address', 'topics', 'word'])
    return { ...rangeOf(all), ...logFilter.parse(value), word: given(all.word, parseHash) }
  },
}

export const accountFilter: Param<AccountFilter> = {
  parse: (value) => ({ isContract: given(members(value, ['isContract']).isContract, boolean.parse) }),
}

export const listPlace: Param<PageEnd> = {
  parse(value) {
    const { blockNumber, index } = members(value, ['blockNumber', 'index'])
    return { blockNumber: anyNumber.parse(blockNumber), index: given(index, anyNumber.parse) }
  },
}
