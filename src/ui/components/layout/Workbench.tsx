import type { ReactNode } from 'react'
import { useWholeWindow } from '#ui/page/fill-window.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Workbench.module.css'

const css = classNames(styles)

/**
 * A screen that fills the window as an editor does: a row with its title, and below it parts that scroll by themselves. In
 * a small window it is a page like others.
 *
 * @param beside - Shown beside the title.
 */
export function Workbench({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) {
  useWholeWindow()
  return (
    <div className={css('workbench')} data-workbench>
      <div className={css('head')}>
        <h1 className={css('title')}>{title}</h1>
        {beside}
      </div>
      <div className={css('body')}>{children}</div>
    </div>
  )
}
