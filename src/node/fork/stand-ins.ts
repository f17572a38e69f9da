import { isObject } from '#primitives/json-object.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import { lacksMethod } from './settled-answers.ts'

type Ask = (method: MethodName, params: readonly unknown[]) => Promise<unknown>
type StandIn = (args: readonly unknown[], ask: Ask) => Promise<unknown>

/** Fields of a block that its header does not have. */
const NOT_IN_HEADER: ReadonlySet<string> = new Set(['transactions', 'uncles', 'withdrawals', 'size', 'totalDifficulty'])

const headerBy =
  (method: 'eth_getBlockByHash' | 'eth_getBlockByNumber'): StandIn =>
  async ([ref], ask) => {
    const block = await ask(method, [ref, false])
    if (block === null) return null
    return Object.fromEntries(Object.entries(block as object).filter(([name]) => !NOT_IN_HEADER.has(name)))
  }

const bytesBy =
  (method: 'eth_getTransactionByBlockHashAndIndex' | 'eth_getTransactionByBlockNumberAndIndex'): StandIn =>
  async (args, ask) => {
    const tx = await ask(method, args)
    return tx === null ? '0x' : ask('eth_getRawTransactionByHash', [(tx as { readonly hash?: unknown }).hash])
  }

/** Other ways to get the same answer from an endpoint that lacks the method. */
export const STAND_INS: { readonly [Name in MethodName]?: StandIn } = {
  eth_getHeaderByNumber: headerBy('eth_getBlockByNumber'),
  eth_getHeaderByHash: headerBy('eth_getBlockByHash'),
  eth_getRawTransactionByBlockNumberAndIndex: bytesBy('eth_getTransactionByBlockNumberAndIndex'),
  eth_getRawTransactionByBlockHashAndIndex: bytesBy('eth_getTransactionByBlockHashAndIndex'),
  debug_getRawTransaction: ([hash], ask) => ask('eth_getRawTransactionByHash', [hash]),
  async ots_hasCode([account, block], ask) {
    return (await ask('eth_getCode', [account, block])) !== '0x'
  },
}

/**
 * Asks for slots by their 32 bytes: some endpoints refuse shorter keys. The answer has the keys as geth shows them.
 *
 * @param name - `eth_getStorageAt`, `eth_getStorageValues` or `eth_getProof`.
 */
export async function askWithWholeSlots(name: MethodName, args: readonly unknown[], ask: Ask): Promise<unknown> {
  const [first, slots, block] = args
  if (name === 'eth_getStorageValues') return askForValues(args, ask)
  if (!Array.isArray(slots)) return ask(name, [first, wholeSlot(slots), block])
  const keys: readonly unknown[] = slots
  const answer = await ask(name, [first, keys.map(wholeSlot), block])
  const { storageProof } = (answer ?? {}) as { readonly storageProof?: unknown }
  if (!Array.isArray(storageProof) || storageProof.length !== keys.length) return answer
  const shown = storageProof.map((proof: unknown, i) =>
    isObject(proof) && wholeSlot(keys[i]) !== keys[i] ? { ...proof, key: shownSlot(keys[i]) } : proof,
  )
  return { ...(answer as object), storageProof: shown }
}

/** Values of slots by their account, one by one where the endpoint lacks the method. */
async function askForValues(args: readonly unknown[], ask: Ask): Promise<unknown> {
  const [wanted, block] = args
  const lists: readonly (readonly [string, unknown])[] = isObject(wanted) ? Object.entries(wanted) : []
  const whole = lists.flatMap(([account, keys]) =>
    Array.isArray(keys) ? [[account, keys.map(wholeSlot)] as const] : [],
  )
  const count = whole.reduce((sum, [, keys]) => sum + keys.length, 0)
  // The endpoint says what is wrong with it.
  if (whole.length < lists.length || count === 0 || count > MAX_SLOTS) return ask('eth_getStorageValues', args)
  try {
    return await ask('eth_getStorageValues', [Object.fromEntries(whole), block])
  } catch (error) {
    if (!lacksMethod(error)) throw error
    const values = whole.map(async ([account, keys]) => {
      const words = keys.map((key) => ask('eth_getStorageAt', [account, key, block]))
      return [account, await Promise.all(words)] as const
    })
    return Object.fromEntries(await Promise.all(values))
  }
}

const WORD_DIGITS = 64
/** Most slots of one call, as on this chain. */
const MAX_SLOTS = 1_024

/** A slot's key in 32 bytes; what is none stays as it is. */
function wholeSlot(key: unknown): unknown {
  const digits = typeof key === 'string' ? /^(?:0x)?([0-9a-f]{0,64})$/i.exec(key)?.[1] : undefined
  return digits === undefined || digits.length === WORD_DIGITS ? key : `0x${digits.padStart(WORD_DIGITS, '0')}`
}

/** A key of less than 32 bytes, as a quantity; one of 32 bytes may lack its first zero. */
function shownSlot(key: unknown): unknown {
  const whole = wholeSlot(key)
  if (typeof key !== 'string' || typeof whole !== 'string') return key
  return key.replace(/^0x/i, '').length > WORD_DIGITS - 2 ? whole : `0x${BigInt(whole).toString(16)}`
}
