import { classNames } from '#ui/styles/class-names.ts'
import styles from './Kbd.module.css'

const css = classNames(styles)

/** A keyboard shortcut, visible only; `aria-keyshortcuts` announces it. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className={css('key')} aria-hidden="true">
      {children}
    </kbd>
  )
}
