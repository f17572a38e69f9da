import { type Address, toQuantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { CallerContext } from '../define-method.ts'
import { signingAccounts } from '../sending/signer.ts'
import type { MannerIn } from './dialect.ts'

/** What dialects share: how they read and change objects of callers and answers. */

/** How another node answers a method. */
export type Manner = MannerIn<CallerContext>

/** An object as JSON has it. */
export type Fields = Readonly<Record<string, unknown>>

export const has = (fields: Fields, name: string) => fields[name] !== undefined && fields[name] !== null

export const PRICES = ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const

/** The members of a transaction object without some. */
export function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

/** A number in hex as JSON-RPC has it. */
export const QUANTITY = /^0x[0-9a-f]{1,16}$/i

/** The number that a member of an object spells in hex, of up to 32 bytes; `undefined` for anything else. */
export function bigIn(fields: Fields, name: string): bigint | undefined {
  const value = fields[name]
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined
}

/** Wei per gas of the live block. */
export const baseFeeOf = ({ chain }: CallerContext) => chain.pending().header.baseFeePerGas
export const smaller = (one: bigint, other: bigint) => (one < other ? one : other)

/** The fee cap that a transaction object names. */
export function priceOf(fields: Fields): bigint | undefined {
  return bigIn(fields, has(fields, 'gasPrice') ? 'gasPrice' : 'maxFeePerGas')
}

export const BLOB_FIELDS = ['blobs', 'blobVersionedHashes', 'maxFeePerBlobGas', 'commitments', 'proofs']

/** A price below the base fee, blobs, or both `data` and `input` are no reasons against a call. */
export function asCall(given: Fields, context: CallerContext): Fields {
  const cap = priceOf(given)
  const ignored = [
    ...(cap === undefined || cap < baseFeeOf(context) ? PRICES : []),
    ...(has(given, 'data') && has(given, 'input') ? ['data'] : []),
    ...BLOB_FIELDS,
    ...(given['type'] === '0x3' ? ['type'] : []),
  ]
  return without(given, ignored)
}

export function isPlainTransfer(given: Fields, { chain }: CallerContext): boolean {
  const { to } = given
  if (typeof to !== 'string' || !/^0x[0-9a-f]{40}$/i.test(to)) return false
  if (['data', 'input', 'gas', 'accessList', 'authorizationList', ...BLOB_FIELDS].some((name) => has(given, name))) {
    return false
  }
  const { state } = chain.pending()
  const account = state.account(to.toLowerCase() as Address)
  return account === undefined || (state.codes.get(account.codeHash)?.length ?? 0) === 0
}

/** An answer with more members, or members in another form. */
export const answering =
  (change: (answer: Fields, context: CallerContext) => Fields): Manner =>
  async ({ args, context, run }) => {
    const answer = await run(args)
    if (Array.isArray(answer)) return answer.map((each: unknown) => (isObject(each) ? change(each, context) : each))
    return isObject(answer) ? change(answer, context) : answer
  }

/** Neither node is a wallet. One that is asked for bundles of calls as one transaction is a wallet all the same. */
export const lacksWallet = (method: string, { settings }: CallerContext) =>
  method.startsWith('wallet_') && settings.atomic === 'unsupported'

/** With the first account as the sender where nobody is named. */
export function fromFirst(given: Fields, context: CallerContext): Fields {
  const [first] = signingAccounts(context)
  return has(given, 'from') || first === undefined ? given : { ...given, from: first }
}

/** A query of logs as a node takes it that asks less of its range. */
type Ranged =
  /** The range is cut at the head. */
  | { readonly kind: 'within'; readonly query: Fields }
  /** The range ends before it begins. */
  | { readonly kind: 'empty' }
  /** The range begins above the head. */
  | { readonly kind: 'above'; readonly from: number; readonly head: number }

export function rangeOf(query: Fields, { chain, latest }: CallerContext): Ranged {
  const head = latest === 'preconfirmed' ? chain.pending().header.number : chain.head().header.number
  const numberOf = (ref: unknown): number | undefined => {
    if (typeof ref === 'string' && QUANTITY.test(ref)) return Number(ref)
    if (ref === undefined || ref === null || ref === 'latest') return head
    return ref === 'earliest' ? chain.first().header.number : undefined
  }
  const [from, to] = [numberOf(query['fromBlock']), numberOf(query['toBlock'])]
  if (from === undefined || to === undefined) return { kind: 'within', query }
  if (from > head) return { kind: 'above', from, head }
  if (from > to) return { kind: 'empty' }
  return { kind: 'within', query: to > head ? { ...query, toBlock: toQuantity(head) } : query }
}

/** The number that names a block in a call's parameters; `undefined` if none does. */
export function askedBlock(params: unknown): number | undefined {
  if (!Array.isArray(params)) return undefined
  const asked: unknown = params.findLast((param) => typeof param === 'string' && QUANTITY.test(param))
  return asked === undefined ? undefined : Number(asked)
}
