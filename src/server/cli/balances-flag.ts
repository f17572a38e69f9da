import type { Address } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { FlagName } from './flags.ts'
import { MAX_BALANCE_ETH, parseAddress, parseEth } from './parse-values.ts'
import type { GivenFlags } from './read-arguments.ts'
import { readAll } from './read-flag.ts'
import { UsageError } from './usage-error.ts'

/**
 * Wei by address, of `ADDRESS:ETH` as often as it is given.
 *
 * @throws {UsageError} If an entry makes no sense, or an address is there twice.
 */
export function parseBalances(given: GivenFlags, flag: FlagName): NodeOptions['fundAccounts'] {
  const takes = `accounts with an amount of ETH up to ${MAX_BALANCE_ETH} each, such as 0x…:1000`
  const balances = new Map<Address, string>()
  for (const [address, wei] of readAll(given, flag, takes, parseList).flat()) {
    if (balances.has(address)) throw new UsageError(`--${flag}: ${address} is there twice.`)
    balances.set(address, wei)
  }
  return balances.size === 0 ? undefined : Object.fromEntries(balances)
}

/** Entries separated by commas. */
function parseList(text: string): readonly (readonly [account: Address, wei: string])[] | undefined {
  const entries = text.split(',').map((entry) => {
    const [account = '', eth = '', ...others] = entry.trim().split(':')
    const [address, wei] = [parseAddress(account), parseEth(eth)]
    return address === undefined || wei === undefined || others.length > 0
      ? undefined
      : ([address, String(wei)] as const)
  })
  return entries.every((entry) => entry !== undefined) ? entries : undefined
}
