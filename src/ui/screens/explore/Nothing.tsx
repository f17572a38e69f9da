import type { ReactNode } from 'react'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { Button } from '#ui/components/Button.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Nothing.module.css'

const css = classNames(styles)

/** A list without items: why, and what to do about it. */
export function Nothing({
  title,
  actions,
  onClear,
  children,
}: {
  title: string
  /** Links. */
  actions?: ReactNode
  /** Removes the filters; left out without any. */
  onClear?: (() => void) | undefined
  children: ReactNode
}) {
  return (
    <div className={css('nothing')}>
      <Glyph sign="dropped" size={44} />
      <h2 className={css('title')}>{title}</h2>
      <p className={css('text')}>{children}</p>
      <p className={css('actions')}>
        {onClear && <Button onClick={onClear}>Clear the filters</Button>}
        {actions}
      </p>
    </div>
  )
}
