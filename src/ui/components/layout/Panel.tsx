import { type ReactNode, useId } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Panel.module.css'

const css = classNames(styles)

/**
 * A titled part of a screen.
 *
 * @param about - What few need to know of it: the tooltip of its title.
 */
export function Panel({
  title,
  about,
  aside,
  children,
}: {
  title: ReactNode
  about?: string
  aside?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={css('panel')} aria-labelledby={id}>
      <div className={css('head')}>
        <h2 id={id} className={css('title')} title={about}>
          {title}
        </h2>
        {aside !== undefined && <div className={css('aside')}>{aside}</div>}
      </div>
      <div className={css('body')}>{children}</div>
    </section>
  )
}
