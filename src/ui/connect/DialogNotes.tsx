import { formatCount } from '#ui/format/numbers.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './WalletDialog.module.css'

const css = classNames(styles)

/** What the accounts are worth. */
export function TestKeys() {
  return <p className={css('note')}>{TEST_KEYS}</p>
}

/** How many questions come after this one. */
export function Waiting({ others }: { others: number }) {
  if (others === 0) return null
  return <p className={css('note')}>{formatCount(others, 'more question')} after this one.</p>
}
