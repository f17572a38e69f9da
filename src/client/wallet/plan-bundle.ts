import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { isObject } from '#primitives/json-object.ts'
import { BATCH_DELEGATE, BATCH_DELEGATION } from '#rpc-types/batch-delegate.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { AskedBundle, SigningCall } from './wallet-methods.ts'
import type { WalletAnswer, WalletRequest } from './wallet-requests.ts'

/** What a bundle of calls (EIP-5792) asks the person, and what of it reaches the chain. */
type PlannedBundle = Pick<SigningCall, 'request' | 'params'>

/**
 * Asks the chain what the account can do, and the person about an upgrade that the bundle needs (EIP-7702), whatever the
 * person has said of other questions: it changes the account. The parameters say whether the chain may delegate the account,
 * so that it does not should that be necessary only by then.
 *
 * @throws {ProviderRpcError} 5760 if the calls must be one transaction and cannot, 5750 if the person refuses the upgrade.
 */
export async function planBundle(
  node: BlinknetProvider,
  { request }: SigningCall,
  { account, fields, calls }: AskedBundle,
  question: (upgrade: WalletRequest) => Promise<WalletAnswer>,
): Promise<PlannedBundle> {
  const must = fields['atomicRequired'] === true
  const planned = (isTogether: boolean, upgrade: boolean): PlannedBundle => ({
    request: isTogether && request.kind === 'transactions' ? { ...request, together: true } : request,
    params: [{ ...fields, upgrade }],
  })
  const status = statusIn(await node.request({ method: 'wallet_getCapabilities', params: [account] }))
  if (status === 'supported') {
    const code = await node.request({ method: 'eth_getCode', params: [account, 'pending'] })
    const isDelegated = code.toLowerCase() === BATCH_DELEGATION
    return planned(must || calls.every(({ to }) => to !== null), !isDelegated)
  }
  if (!must) return planned(false, false)
  if (status !== 'ready') {
    throw new ProviderRpcError(ERROR_CODES['atomicity-unsupported'], 'atomic execution of the calls is not supported')
  }
  const { approved } = await question({ kind: 'upgrade', account, delegate: BATCH_DELEGATE })
  if (approved) return planned(true, true)
  throw new ProviderRpcError(ERROR_CODES['upgrade-rejected'], 'the person refused to upgrade the account')
}

/** The status of the capability `atomic` of the only chain. A chain elsewhere may answer anything. */
function statusIn(capabilities: unknown): unknown {
  const [own] = isObject(capabilities) ? Object.values(capabilities) : []
  const atomic = isObject(own) ? own['atomic'] : undefined
  return isObject(atomic) ? atomic['status'] : undefined
}
