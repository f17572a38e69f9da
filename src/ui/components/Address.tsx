import { blo } from 'blo'
import { findDevAccount } from '#client/dev-accounts.ts'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { shortHex } from '#ui/format/hex.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Address.module.css'

const css = classNames(styles)

/** An address with its avatar and, where it has one, its name. `full` shows every digit. */
export function Address({ address, full = false }: { address: AddressHex; full?: boolean }) {
  const name = findDevAccount(address)?.name
  return (
    <span className={css('address')} title={name ? `${address}\n${TEST_KEYS}` : address}>
      <img className={css('avatar')} src={blo(address)} alt="" width={16} height={16} />
      {name && <span className={css('name')}>{name}</span>}
      {(full || !name) && <span className={css('digits', full && 'full')}>{full ? address : shortHex(address)}</span>}
    </span>
  )
}
