import { classNames } from '#ui/styles/class-names.ts'
import styles from './Kbd.module.css'

const css = classNames(styles)

/** The key that does the same; for eyes only, `aria-keyshortcuts` says it to others. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className={css('key')} aria-hidden="true">
      {children}
    </kbd>
  )
}
