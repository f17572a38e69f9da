import type { ReactNode } from 'react'
import { othersText } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './MessageScreen.module.css'

const css = classNames(styles)

/**
 * A screen with a message instead of content: what happened, and what to do about it.
 *
 * @param failed - Something went wrong: screen readers announce it at once.
 * @param reason - The original message of the cause.
 * @param actions - Buttons and links.
 * @param more - Content below them.
 */
export function MessageScreen({
  title,
  failed = false,
  reason,
  actions,
  more,
  children,
}: {
  title: string
  failed?: boolean
  reason?: string
  actions?: ReactNode
  more?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={css('screen')} aria-label={title}>
      <h1 className={css('title')}>{title}</h1>
      <div role={failed ? 'alert' : undefined} className={css('text')}>
        {children}
        {reason !== undefined && <p className={css('reason')}>{othersText(reason)}</p>}
      </div>
      {actions !== undefined && <div className={css('actions')}>{actions}</div>}
      {more}
    </section>
  )
}
