import type { ReactNode } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Explained.module.css'

const css = classNames(styles)

/** An explanation for beginners, which others can open. */
export function Explained({ open, title, children }: { open: boolean; title: string; children: ReactNode }) {
  if (open) return <p className="note">{children}</p>
  return (
    <details className={css('more')}>
      <summary>{title}</summary>
      <p className="note">{children}</p>
    </details>
  )
}
