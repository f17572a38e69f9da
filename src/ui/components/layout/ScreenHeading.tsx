import type { ReactNode } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ScreenHeading.module.css'

const css = classNames(styles)

/** A screen's title, with `children` beside it. */
export function ScreenHeading({
  title,
  lead,
  children,
}: {
  title: ReactNode
  /** An introductory sentence. */
  lead?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={css('head')}>
      <div>
        <h1 className={css('title')}>{title}</h1>
        {lead !== undefined && <p className={css('lead')}>{lead}</p>}
      </div>
      {children}
    </div>
  )
}
