import type { ReactNode } from 'react'
import { AppLink } from '#ui/components/AppLink.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './NotFound.module.css'
import { useTitle } from './use-title.ts'

const css = classNames(styles)

/** Something that the address names and the chain does not have. */
export function NotFound({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <section className={css('screen')} aria-label={title}>
      <h1 className={css('title')}>{title}</h1>
      <div className={css('text')}>{children}</div>
      <AppLink to="/">Back to the live chain</AppLink>
    </section>
  )
}
