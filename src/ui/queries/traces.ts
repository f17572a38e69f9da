import { queryOptions } from '@tanstack/react-query'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { RpcCallFrame, RpcPrestateDiff } from '#rpc-types/methods/debug.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { seenTransaction } from '#ui/feed/seen-transactions.ts'
import { earlierReplaced } from '#ui/own/follow-replaced.ts'

/** Error codes of nodes that lack a method. */
const MISSING: ReadonlySet<number> = new Set([ERROR_CODES['method-not-found'], ERROR_CODES['unsupported-method']])

const CALL_TRACER = { tracer: 'callTracer', tracerConfig: { withLog: true } } as const

/** Executes an included transaction again, on the state before it. */
export async function traceTransaction(provider: BlinknetProvider, hash: Hash): Promise<RpcCallFrame> {
  return (await provider.request({ method: 'debug_traceTransaction', params: [hash, CALL_TRACER] })) as RpcCallFrame
}

/** Executes a waiting transaction as if it were next in the pending block. */
export async function traceWaiting(provider: BlinknetProvider, tx: RpcTransaction): Promise<RpcCallFrame> {
  const { from, to, gas, value, input } = tx
  const call = { from, to, gas, value, input, ...('accessList' in tx && { accessList: tx.accessList }) }
  const authorizations = 'authorizationList' in tx && { authorizationList: tx.authorizationList }
  return (await provider.request({
    method: 'debug_traceCall',
    params: [{ ...call, ...authorizations }, 'pending', CALL_TRACER],
  })) as RpcCallFrame
}

/**
 * The calls of a transaction; `null` if the chain does not support traces.
 *
 * @param block - The block that executed it; another one after a reorg.
 */
export const traceQuery = (provider: BlinknetProvider, hash: Hash, block: string) =>
  queryOptions({
    queryKey: ['debug_traceTransaction', hash, block],
    queryFn: () => unlessMissing(traceTransaction(provider, hash)),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The signed bytes of a transaction; `null` if the chain does not return them. */
export const rawTransactionQuery = (provider: BlinknetProvider, hash: Hash) =>
  queryOptions({
    queryKey: ['eth_getRawTransactionByHash', hash],
    queryFn: async (): Promise<Hex | null> => {
      const raw = await unlessMissing(provider.request({ method: 'eth_getRawTransactionByHash', params: [hash] }))
      return (raw === '0x' ? null : raw) ?? seenTransaction(hash)?.raw ?? (await earlierReplaced(hash))?.raw ?? null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/**
 * Resolves with `null` if the chain has no such method.
 *
 * @throws {ProviderRpcError} If it has the method but refuses.
 */
export async function unlessMissing<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ProviderRpcError && MISSING.has(error.code)) return null
    throw error
  }
}

/** What a transaction changed of one account, besides storage. */
export interface AccountDelta {
  readonly address: Address
  /** Wei. */
  readonly balance: { readonly before: bigint; readonly after: bigint }
  readonly nonce: { readonly before: number; readonly after: number }
}

/**
 * Balances and nonces that a transaction changed; `null` if the chain cannot tell.
 *
 * @param version - Changes when the transaction may have run again, in another block.
 */
export const accountChangesQuery = (provider: BlinknetProvider, hash: Hash, version: string) =>
  queryOptions({
    queryKey: ['account changes', hash, version],
    queryFn: async (): Promise<readonly AccountDelta[] | null> => {
      const diff = await unlessMissing(
        provider.request({
          method: 'debug_traceTransaction',
          params: [hash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true, disableStorage: true } }],
        }),
      )
      return diff ? accountChanges(diff as RpcPrestateDiff) : null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The accounts of a diff whose balance or nonce is another one; a field that `post` leaves out has not changed. */
export function accountChanges({ pre, post }: RpcPrestateDiff): readonly AccountDelta[] {
  const addresses = new Set([...Object.keys(pre), ...Object.keys(post)] as Address[])
  return [...addresses].flatMap((address): AccountDelta[] => {
    const [old, now] = [pre[address], post[address]]
    // An account that is only in `pre` was deleted.
    const balance = { before: BigInt(old?.balance ?? 0), after: BigInt((now ? (now.balance ?? old?.balance) : 0) ?? 0) }
    const nonce = { before: old?.nonce ?? 0, after: (now ? (now.nonce ?? old?.nonce) : 0) ?? 0 }
    return balance.before === balance.after && nonce.before === nonce.after ? [] : [{ address, balance, nonce }]
  })
}
