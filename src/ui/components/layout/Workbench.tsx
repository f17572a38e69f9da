import type { ReactNode } from 'react'
import { useLayoutEffect } from 'react'
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

/**
 * While a screen calls it, the screen fills the window as an editor does: its parts scroll, the page does not. In a small
 * window nothing changes.
 */
function useWholeWindow(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['fills'] = ''
    return () => {
      delete dataset['fills']
    }
  }, [])
}
