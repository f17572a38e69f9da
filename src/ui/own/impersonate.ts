import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { useImpersonated } from './impersonated.ts'

/**
 * Lets the chain send for an account without its key.
 *
 * @throws {ExplainedError} If the chain refuses that.
 */
export async function impersonate(provider: BlinknetProvider, address: Address): Promise<void> {
  try {
    await provider.request({ method: 'anvil_impersonateAccount', params: [address] })
  } catch (error) {
    if (!(error instanceof ProviderRpcError) || error.code === ERROR_CODES.disconnected) throw error
    throw new ExplainedError(
      'This chain does not send for an account without its key.',
      `It refuses anvil_impersonateAccount: ${error.message} (${error.code}). Choose one of the development accounts.`,
      { cause: error },
    )
  }
  useImpersonated.setState((known) => new Set(known).add(address), true)
}

/**
 * Ends what {@link impersonate} began; what the account has sent stays.
 *
 * @throws {ProviderRpcError} If the chain refuses that.
 */
export async function stopImpersonating(provider: BlinknetProvider, address: Address): Promise<void> {
  await provider.request({ method: 'anvil_stopImpersonatingAccount', params: [address] })
  useImpersonated.setState((known) => new Set([...known].filter((other) => other !== address)), true)
}

/**
 * Asks the chain for which accounts it sends without their keys, whoever has impersonated them.
 *
 * @throws {ProviderRpcError}
 */
export async function lookForImpersonated(provider: BlinknetProvider): Promise<void> {
  const [sending, { accounts }] = await Promise.all([
    provider.request({ method: 'eth_accounts' }),
    provider.request({ method: 'devnet_status' }),
  ])
  useImpersonated.setState(new Set(sending.filter((account) => !accounts.includes(account))), true)
}
