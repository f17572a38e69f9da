import type { ReactNode } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import { Button } from './Button.tsx'
import styles from './LoadOlder.module.css'

const css = classNames(styles)

/**
 * The foot of a list that is loaded from the newest backwards: how far it goes, and a button for more.
 *
 * @param children - How far it goes, in words, which screen readers hear when they change.
 * @param onMore - Left out at the end.
 */
export function LoadOlder({
  children,
  isLoading,
  label = 'Load older',
  onMore,
}: {
  children: ReactNode
  isLoading: boolean
  label?: string
  onMore?: (() => void) | undefined
}) {
  return (
    <div className={css('foot')}>
      <p role="status" className="note">
        {children}
      </p>
      {onMore && (
        <Button size="small" disabled={isLoading} onClick={onMore}>
          {label}
        </Button>
      )}
    </div>
  )
}
