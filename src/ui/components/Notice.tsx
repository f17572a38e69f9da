import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Notice.module.css'

const css = classNames(styles)

/**
 * A notice about the chain or the page, shown for as long as it applies.
 *
 * @param label - Its accessible name; the title by default.
 * @param alert - Whether screen readers announce it at once.
 * @param outcome - The result of its actions.
 */
export function Notice({
  title,
  label = title,
  icon: Icon,
  look,
  alert = false,
  actions,
  outcome,
  children,
}: {
  icon?: LucideIcon
  look: 'plain' | 'attention' | 'failed'
  alert?: boolean
  actions?: ReactNode
  outcome?: ReactNode
  children: ReactNode
} & ({ title: string; label?: string } | { title?: undefined; label: string })) {
  return (
    <section aria-label={label} className={css('notice', look)}>
      {Icon && <Icon size={16} aria-hidden="true" className={css('icon')} />}
      <div className={css('words')}>
        <div role={alert ? 'alert' : undefined} className={css('text')}>
          {title !== undefined && <p className={css('title')}>{title}</p>}
          {children}
        </div>
        {outcome}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </section>
  )
}
