import type { Address } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { AccountOption } from '#rpc-types/node-options.ts'
import { addressOfKey } from '../crypto/signing.ts'
import type { DevAccount } from './chain-spec.ts'
import { InvalidOptionError } from './invalid-option-error.ts'
import { membersOf, parseAddressOption, parseBigOption, parseBytesOption, quote } from './parse-option.ts'

/** 10,000 ETH, in wei. */
export const DEV_BALANCE = String(10_000n * 10n ** 18n)
/** The highest balance in wei; keeps balances far below 2^256. */
const MAX_BALANCE = 2n ** 128n
/** At the start each key's address is derived, which takes at least a tenth of a millisecond. */
const MAX_ACCOUNTS = 1_000
const MEMBERS: Readonly<Record<keyof AccountOption, true>> = { address: true, privateKey: true, balance: true }

const DEFAULT_ACCOUNTS: readonly AccountOption[] = DEV_KEYS.map((key) => ({ ...key, balance: DEV_BALANCE }))
/**
 * Known addresses by private key, which need no check: deriving the ten would hold up every start of a node, and
 * each comparison with a stored chain's options.
 */
const KNOWN_ADDRESSES: ReadonlyMap<unknown, Address> = new Map(
  DEV_KEYS.map(({ address, privateKey }) => [privateKey, address]),
)

/**
 * Creates the development accounts.
 *
 * @throws {InvalidOptionError} If one of them is invalid or a duplicate.
 */
export function createDevAccounts(accounts: readonly AccountOption[] = DEFAULT_ACCOUNTS): readonly DevAccount[] {
  const given: unknown = accounts
  if (!Array.isArray(given)) throw new InvalidOptionError('accounts must be an array of objects')
  if (given.length > MAX_ACCOUNTS) {
    throw new InvalidOptionError(`accounts must be at most ${MAX_ACCOUNTS}, not ${given.length}`)
  }
  const seen = new Set<string>()
  return accounts.map((account, index) => {
    const what = `accounts[${index}]`
    for (const [name] of membersOf(account, what)) {
      if (!Object.hasOwn(MEMBERS, name)) {
        throw new InvalidOptionError(
          `${what}: there is no ${quote(name)}; an account has address, balance and perhaps privateKey`,
        )
      }
    }
    const address = parseAddressOption(account.address, `${what}.address`)
    if (seen.has(address)) throw new InvalidOptionError(`${what}.address is there twice: ${address}`)
    seen.add(address)
    const balance = parseBigOption(account.balance, `${what}.balance`, MAX_BALANCE)
    if (account.privateKey === undefined) return { address, balance, privateKey: undefined }
    const privateKey = parseBytesOption(account.privateKey, `${what}.privateKey`)
    if ((KNOWN_ADDRESSES.get(account.privateKey) ?? addressOfKey(privateKey)) !== address) {
      throw new InvalidOptionError(`${what}.privateKey is not the key of ${address}`)
    }
    return { address, balance, privateKey }
  })
}
