import type { Address } from '#primitives/hex.ts'
import { isDelegation } from '../evm/transactions/authorization.ts'
import type { DevAccount } from '../spec/chain-spec.ts'
import type { StateReader } from '../state/state-reader.ts'

/**
 * The development accounts that are delegated (EIP-7702) and have a key here. Everyone knows the usual keys, so on real
 * chains somebody has had these accounts run code that sends everything away.
 */
export function delegatedAccounts(
  accounts: readonly DevAccount[],
  state: Pick<StateReader, 'code'>,
): readonly Address[] {
  const own = accounts.filter(({ address, privateKey }) => privateKey && isDelegation(state.code(address)))
  return own.map(({ address }) => address)
}
