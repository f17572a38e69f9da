import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { AccountOption } from '#rpc-types/node-options.ts'
import { addressOfKey } from '../crypto/signing.ts'
import type { DevAccount } from './chain-spec.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { parseAddressOption, parseBigOption, parseBytesOption } from './parse-option.ts'

/** 10,000 ETH, in wei. */
const DEV_BALANCE = String(10_000n * 10n ** 18n)
/** Wei; keeps balances far below 2^256. */
const MAX_BALANCE = 2n ** 128n

const DEFAULT_ACCOUNTS: readonly AccountOption[] = DEV_KEYS.map((key) => ({ ...key, balance: DEV_BALANCE }))

/**
 * The development accounts.
 *
 * @throws {InvalidOptionError} If one of them makes no sense, or is there twice.
 */
export function createDevAccounts(accounts: readonly AccountOption[] = DEFAULT_ACCOUNTS): readonly DevAccount[] {
  const seen = new Set<string>()
  return accounts.map((account, index) => {
    const what = `accounts[${index}]`
    const address = parseAddressOption(account.address, `${what}.address`)
    if (seen.has(address)) throw new InvalidOptionError(`${what}.address is there twice: ${address}`)
    seen.add(address)
    const balance = parseBigOption(account.balance, `${what}.balance`, MAX_BALANCE)
    if (account.privateKey === undefined) return { address, balance, privateKey: undefined }
    const privateKey = parseBytesOption(account.privateKey, `${what}.privateKey`)
    if (addressOfKey(privateKey) !== address) {
      throw new InvalidOptionError(`${what}.privateKey is not the key of ${address}`)
    }
    return { address, balance, privateKey }
  })
}
