import { toQuantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { READS } from './methods.derived.ts'

/** How a read meets a fault: with another call in its place, with its answer changed, or both. */
export interface FaultyRead {
  /** In place of the caller's parameters. */
  readonly params?: readonly unknown[]
  /** Given at once, in place of the node's. */
  readonly result?: unknown
  /** The answer in place of the node's. */
  readonly see?: (result: unknown) => unknown
}

const NO_HASH = `0x${'0'.repeat(64)}`
/** A block that no chain has. */
const UNKNOWN_BLOCK = '0xffffffffffff'

/** A read as a node answers it that knows no partial blocks; `undefined` if it is none that they change. */
export function withoutPending(method: string, params: readonly unknown[]): FaultyRead | undefined {
  const subject = READS[method]
  switch (subject?.about) {
    case 'block':
    case 'state':
    case 'fees': {
      const at = subject.about === 'fees' ? 1 : subject.at
      return params[at] === 'pending' ? { params: params.with(at, 'latest') } : undefined
    }
    case 'logs': {
      const [query] = params
      if (!isObject(query) || (query['fromBlock'] !== 'pending' && query['toBlock'] !== 'pending')) return undefined
      const sealed = (end: unknown) => (end === 'pending' ? 'latest' : end)
      return { params: [{ ...query, fromBlock: sealed(query['fromBlock']), toBlock: sealed(query['toBlock']) }] }
    }
    case 'transaction':
      return { see: unconfirmed }
    default:
      return undefined
  }
}

/** A transaction or a receipt as it is seen without partial blocks. */
function unconfirmed(result: unknown): unknown {
  if (!isObject(result)) return result
  if (result['blockHash'] === NO_HASH) return null
  if (result['blockHash'] !== null || result['blockNumber'] === null) return result
  const { maxFeePerGas } = result
  return {
    ...result,
    blockNumber: null,
    transactionIndex: null,
    ...(maxFeePerGas !== undefined && { gasPrice: maxFeePerGas }),
  }
}

/**
 * A read as a node answers it that is behind; `undefined` if it is none that blocks change.
 *
 * @param head - Number of the newest block that it has.
 */
export function behind(method: string, params: readonly unknown[], head: number): FaultyRead | undefined {
  if (method === 'eth_blockNumber') return { result: toQuantity(head) }
  const subject = READS[method]
  const before = (block: unknown) => blockBefore(block, head)
  switch (subject?.about) {
    case 'block': {
      const block = params[subject.at]
      if (subject.by === 'hash' || isHash(block) || isObject(block)) return { see: (result) => known(result, head) }
      const number = before(block)
      return number === undefined ? { result: null } : { params: params.with(subject.at, number) }
    }
    case 'state':
    case 'fees': {
      const at = subject.about === 'fees' ? 1 : subject.at
      const given = [...params]
      // Optional parameters that were left out in between are as the node has them.
      while (given.length < at) given.push(null)
      if (isHash(given[at]) || isObject(given[at])) return undefined
      given[at] = before(given[at]) ?? UNKNOWN_BLOCK
      return { params: given }
    }
    case 'logs': {
      const [query] = params
      if (!isObject(query) || query['blockHash'] !== undefined) return undefined
      const from = before(query['fromBlock'])
      return from === undefined
        ? { result: [] }
        : { params: [{ ...query, fromBlock: from, toBlock: before(query['toBlock']) ?? toQuantity(head) }] }
    }
    case 'transaction':
      return { see: (result) => known(result, head) }
    default:
      return undefined
  }
}

/** A block parameter as it is understood a block behind; `undefined` for a block that is not there. */
function blockBefore(block: unknown, head: number): unknown {
  if (block === undefined || block === null || block === 'latest' || block === 'pending') return toQuantity(head)
  const isNumber = typeof block === 'number' || (typeof block === 'string' && /^0x[\da-f]{1,13}$/i.test(block))
  return isNumber && Number(block) > head ? undefined : block
}

const isHash = (block: unknown) => typeof block === 'string' && block.length === NO_HASH.length

/** A block, a transaction or a receipt, unless it is newer. */
function known(result: unknown, head: number): unknown {
  if (!isObject(result)) return result
  const number = result['blockNumber'] ?? result['number']
  return number === null || number === undefined || Number(number) > head ? null : result
}
