import type { ReactNode } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CheckField.module.css'

const css = classNames(styles)

/** A checkbox with a label that can be pressed, too. */
export function CheckField({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  return (
    <label className={css('label')}>
      <input
        type="checkbox"
        className={css('box')}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}
