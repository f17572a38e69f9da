import type { Hex } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'

/** What a call asks about, in a few words. */
export function aboutCall(method: string, params: readonly unknown[]): string {
  const [first, second] = params
  if (method.startsWith('eth_send')) return ''
  if (isObject(first)) return ''
  const subject = typeof first === 'string' ? shortened(first) : ''
  return typeof second === 'string' ? `${subject} at ${second}` : subject
}

/** What an answer says, in a few words. */
export function aboutAnswer(method: string, result: unknown): string {
  if (result === null || result === undefined) return 'nothing'
  if (isObject(result)) {
    if (method === 'eth_getTransactionReceipt') {
      return Number(result['blockHash']) === 0
        ? 'pre-confirmed'
        : `sealed in block ${formatInteger(Number(result['blockNumber']))}`
    }
    return result['blockNumber'] === null
      ? 'in the mempool'
      : Number(result['blockHash']) === 0
        ? 'pre-confirmed'
        : 'sealed'
  }
  if (method === 'eth_subscribe') return 'subscribed'
  if (method === 'eth_blockNumber') return `block ${formatInteger(Number(result))}`
  if (method === 'eth_getTransactionCount') return `nonce ${formatInteger(Number(result))}`
  return typeof result === 'string' ? shortened(result) : JSON.stringify(result)
}

const shortened = (text: string) => (text.startsWith('0x') ? shortHex(text as Hex) : text)

/** What an event of a partial block says, in a few words. */
export function aboutEvent(event: Readonly<Record<string, unknown>>): string {
  const { index, diff } = event
  const transactions = isObject(diff) && Array.isArray(diff['transactions']) ? diff['transactions'].length : 0
  const what = transactions === 0 ? '' : `, ${transactions} ${transactions === 1 ? 'transaction' : 'transactions'}`
  return `partial block ${Number(index) + 1}${what}`
}
