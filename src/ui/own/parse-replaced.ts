import type { Hex } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { parseHistory } from './own-history.ts'
import { MAX_REPLACED, type ReplacedTransaction, replacementIn } from './replaced-transactions.ts'

/** Parses what was stored; whatever could not have been stored is left out. */
export function parseReplaced(value: unknown): readonly ReplacedTransaction[] {
  return Array.isArray(value) ? value.slice(-MAX_REPLACED).flatMap(parseOne) : []
}

function parseOne(value: unknown): readonly ReplacedTransaction[] {
  if (typeof value !== 'object' || value === null) return []
  const { tx, raw, events: stored } = value as Partial<Record<string, unknown>>
  const events = parseHistory(stored)
  if (!isWaiting(tx) || !events || replacementIn(events) === undefined) return []
  return [{ tx, raw: matches(raw, HEX) ? (raw as Hex) : undefined, events }]
}

const HASH = /^0x[0-9a-f]{64}$/
const ADDRESS = /^0x[0-9a-f]{40}$/
const QUANTITY = /^0x[0-9a-f]{1,64}$/
const STORED_TYPES = /^0x[012]$/
const HEX = /^0x(?:[0-9a-f]{2})*$/

const matches = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value)

/** What every type of transaction has while it waits. Lists of authorizations are not stored. */
function isWaiting(value: unknown): value is RpcTransaction {
  if (typeof value !== 'object' || value === null) return false
  const tx = value as Partial<Record<string, unknown>>
  return (
    matches(tx['hash'], HASH) &&
    matches(tx['from'], ADDRESS) &&
    (tx['to'] === null || matches(tx['to'], ADDRESS)) &&
    matches(tx['input'], HEX) &&
    ['nonce', 'gas', 'gasPrice', 'value', 'v', 'r', 's'].every((name) => matches(tx[name], QUANTITY)) &&
    matches(tx['type'], STORED_TYPES) &&
    (tx['type'] !== '0x2' || ['maxFeePerGas', 'maxPriorityFeePerGas'].every((name) => matches(tx[name], QUANTITY))) &&
    tx['blockHash'] === null &&
    tx['blockNumber'] === null
  )
}
