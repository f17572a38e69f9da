import type { Address, Hash } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'

/** One of the ten development accounts. Its key is public: never send anything of value to it. */
export interface DevAddress {
  /** 0 to 9, the index in the mnemonic's path. */
  readonly index: number
  /** `Account 0` to `Account 9`. */
  readonly name: string
  readonly address: Address
  /** Known to everyone. */
  readonly privateKey: Hash
}

/** The accounts that hold ether at genesis. */
export const DEV_ACCOUNTS: readonly DevAddress[] = DEV_KEYS.map(({ address, privateKey }, index) => ({
  index,
  name: `Account ${index}`,
  address,
  privateKey,
}))

/** The development account with that address, in either case; `undefined` if none. */
export function findDevAccount(address: string): DevAddress | undefined {
  const lower = address.toLowerCase()
  return DEV_ACCOUNTS.find((account) => account.address === lower)
}
