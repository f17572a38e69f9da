import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FloatingNotes.module.css'

const css = classNames(styles)

/**
 * A note about an unusual state of the screen, with a button to leave it. It floats above everything, so that nothing
 * moves.
 */
export function FloatingNote({
  name,
  icon: Icon,
  what,
  detail,
  children,
}: {
  name: string
  icon: LucideIcon
  what: string
  detail: string
  /** The button to leave that state. */
  children: ReactNode
}) {
  return (
    <section className={css('note')} aria-label={name}>
      <Icon size={16} aria-hidden="true" className={css('icon')} />
      <p>
        <span className={css('what')}>{what}</span>
        <span className={css('detail')}>{detail}</span>
      </p>
      {children}
    </section>
  )
}
