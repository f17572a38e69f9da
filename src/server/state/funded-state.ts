import { isObject } from '#primitives/json-object.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'

/**
 * A state in JSON, in which accounts have the balance that an option gives them: a file that is loaded does not go before it.
 * Accounts that the file does not have are as they are.
 */
export function withFunds(state: object, funds: NodeOptions['fundAccounts']): object {
  const accounts: unknown = 'accounts' in state ? state.accounts : undefined
  if (!funds || !isObject(accounts)) return state
  const balances = new Map(Object.entries(funds).map(([address, wei]) => [address.toLowerCase(), wei]))
  const funded = Object.entries<unknown>(accounts).map(([address, account]) => {
    const balance = balances.get(address.toLowerCase())
    const kept: unknown = balance === undefined || !isObject(account) ? account : { ...account, balance }
    return [address, kept] as const
  })
  return { ...state, accounts: Object.fromEntries(funded) }
}
