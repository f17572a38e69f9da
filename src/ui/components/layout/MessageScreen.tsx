import type { ReactNode } from 'react'
import { othersText } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './MessageScreen.module.css'

const css = classNames(styles)

/**
 * A screen with a message instead of content: what happened, and what to do about it.
 *
 * @param sign - With the empty sign, for something that is not there.
 * @param failed - Something went wrong: screen readers announce it at once.
 * @param reason - The original message of the cause.
 * @param actions - Buttons and links.
 * @param more - Content below them.
 */
export function MessageScreen({
  title,
  sign = false,
  failed = false,
  reason,
  actions,
  more,
  children,
}: {
  title: string
  sign?: boolean
  failed?: boolean
  reason?: string
  actions?: ReactNode
  more?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={css('screen')} aria-label={title}>
      {sign && (
        <svg className={css('sign')} viewBox="0 0 44 44" width="2.75rem" height="2.75rem" aria-hidden="true">
          <circle cx="22" cy="22" r="20" fill="none" stroke="currentColor" strokeWidth="2.5" strokeDasharray="4 4.4" />
        </svg>
      )}
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
