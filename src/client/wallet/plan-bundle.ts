import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { isObject } from '#primitives/json-object.ts'
import { BATCH_DELEGATE } from '#rpc-types/batch-delegate.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { AskedBundle } from './wallet-methods.ts'

/** How a bundle of calls (EIP-5792) would be sent. */
export interface BundlePlan {
  /** Whether all calls are one transaction. */
  readonly isTogether: boolean
  /**
   * Whether the account is delegated for it (EIP-7702): `ask` the person first; `yes`, since the chain was started with
   * accounts that can do it; `no`, also if it turns out to be necessary.
   */
  readonly upgrade: 'ask' | 'yes' | 'no'
}

/**
 * Asks the chain what the account can do, and plans the bundle.
 *
 * @throws {ProviderRpcError} 5760 if the calls must be one transaction and cannot.
 */
export async function planBundle(node: BlinknetProvider, { account, fields, calls }: AskedBundle): Promise<BundlePlan> {
  const must = fields['atomicRequired'] === true
  const status = statusIn(await node.request({ method: 'wallet_getCapabilities', params: [account] }))
  if (status === 'ready') return must ? { isTogether: true, upgrade: 'ask' } : { isTogether: false, upgrade: 'no' }
  if (status === 'supported') {
    const code = await node.request({ method: 'eth_getCode', params: [account, 'pending'] })
    const isDelegated = code.toLowerCase() === `0xef0100${BATCH_DELEGATE.slice(2)}`
    return { isTogether: must || calls.every(({ to }) => to !== null), upgrade: isDelegated ? 'no' : 'yes' }
  }
  if (!must) return { isTogether: false, upgrade: 'no' }
  throw new ProviderRpcError(ERROR_CODES['atomicity-unsupported'], 'atomic execution of the calls is not supported')
}

/** The status of the capability `atomic` of the only chain. A chain elsewhere may answer anything. */
function statusIn(capabilities: unknown): unknown {
  const [own] = isObject(capabilities) ? Object.values(capabilities) : []
  const atomic = isObject(own) ? own['atomic'] : undefined
  return isObject(atomic) ? atomic['status'] : undefined
}
