import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { shortHex } from '#ui/format/hex.ts'

/** The development accounts to choose from in a `select`; the value is an account's index. */
export function AccountOptions() {
  return DEV_ACCOUNTS.map(({ index, name, address }) => (
    <option key={index} value={index}>
      {name} · {shortHex(address)}
    </option>
  ))
}
